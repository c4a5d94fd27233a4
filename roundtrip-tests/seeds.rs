//! Numbers that the format documents name are shown by name, set by name or number, and preserved if they have no name.

mod others;
