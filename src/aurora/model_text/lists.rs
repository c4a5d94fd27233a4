//! The lists of nodes that say how many rows follow. Source: `nwn-mdl-text.md`, sections 4.1 and 4.2.

/// A list, by its keyword.
pub(super) struct TextList {
    keyword: &'static str,
    /// `true` if it is one of a mesh, whose lists refer to the rows of each other.
    pub(super) is_of_mesh: bool,
    /// `false` if its place in compiled models is unknown. Source: `nwn-mdl-text.md`, section 12.
    pub(super) is_compiled: bool,
}

const fn of_mesh(keyword: &'static str) -> TextList {
    TextList { keyword, is_of_mesh: true, is_compiled: true }
}

const fn other(keyword: &'static str) -> TextList {
    TextList { keyword, is_of_mesh: false, is_compiled: true }
}

const fn uncompiled(list: TextList) -> TextList {
    TextList { is_compiled: false, ..list }
}

static LISTS: [TextList; 25] = [
    of_mesh("verts"),
    of_mesh("faces"),
    of_mesh("tverts"),
    uncompiled(of_mesh("tverts1")),
    uncompiled(of_mesh("tverts2")),
    uncompiled(of_mesh("tverts3")),
    uncompiled(of_mesh("texindices1")),
    uncompiled(of_mesh("texindices2")),
    uncompiled(of_mesh("texindices3")),
    of_mesh("colors"),
    of_mesh("normals"),
    of_mesh("tangents"),
    of_mesh("weights"),
    of_mesh("constraints"),
    other("texturenames"),
    other("flaresizes"),
    other("flarepositions"),
    other("flarecolorshifts"),
    uncompiled(other("animverts")),
    uncompiled(other("animtverts")),
    other("multimaterial"),
    uncompiled(other("qbone_ref_inv")),
    uncompiled(other("tbone_ref_inv")),
    uncompiled(other("boneconstantindices")),
    other("mirrorlist"),
];

impl TextList {
    /// Returns the keywords of all lists.
    pub(super) fn keywords() -> impl Iterator<Item = &'static str> {
        LISTS.iter().map(|list| list.keyword)
    }

    /// Returns the list with a keyword, in any case.
    pub(super) fn named(keyword: &str) -> Option<&'static Self> {
        LISTS.iter().find(|list| list.keyword.eq_ignore_ascii_case(keyword))
    }
}
