//! What a report says of the call.

/// The facts about the call that a page shows.
#[derive(Clone, Copy, Debug)]
pub struct About<'a> {
    /// The paths that were verified.
    pub paths: &'a [String],
    /// `true` if the round trip went via the exchange format.
    pub via_exchange: bool,
}
