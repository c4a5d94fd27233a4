//! What refers to rows of tables by their numbers: fields of trees, and columns of other tables.
//!
//! Source: [`nwn-2da.md`](crate::guide::formats::nwn_2da), section 8.

/// A field of a tree that holds the number of a row. A field with one name can refer to several tables, by what it is in.
pub(super) struct Field {
    label: &'static str,
    pub(super) table: &'static str,
    /// What it must be in: the type of the file, or the label of the list around it. Empty if that does not matter.
    within: &'static [&'static str],
    /// The number that names no row, if there is one.
    pub(super) none: Option<u64>,
}

const fn field(label: &'static str, table: &'static str) -> Field {
    Field { label, table, within: &[], none: None }
}

impl Field {
    const fn within(self, within: &'static [&'static str]) -> Self {
        Self { within, ..self }
    }

    const fn or_none(self, none: u64) -> Self {
        Self { none: Some(none), ..self }
    }
}

const FIELDS: &[Field] = &[
    field("Appearance_Type", "appearance"),
    field("Appearance", "placeables").within(&["UTP ", "Placeable List"]),
    field("Appearance", "doortypes").within(&["UTD ", "Door List"]),
    field("Appearance", "appearance").within(&["CreatureList"]),
    field("Appearance", "waypoint").within(&["UTW ", "WaypointList"]),
    field("GenericType", "genericdoors"),
    field("GenericType_New", "genericdoors"),
    field("BaseItem", "baseitems"),
    field("Race", "racialtypes"),
    field("Class", "classes"),
    field("LvlStatClass", "classes"),
    field("Domain1", "domains"),
    field("Domain2", "domains"),
    field("StartingPackage", "packages"),
    field("PerceptionRange", "ranges"),
    field("WalkRate", "creaturespeed"),
    field("BodyBag", "bodybag"),
    field("Feat", "feat"),
    field("Spell", "spells"),
    field("PortraitId", "portraits"),
    field("SoundSetFile", "soundset").or_none(65_535),
    field("Phenotype", "phenotype"),
    field("Wings", "wingmodel"),
    field("Wings_New", "wingmodel"),
    field("Tail", "tailmodel"),
    field("Tail_New", "tailmodel"),
    field("FootstepType", "footstepsounds"),
    field("School", "spellschools").within(&["ClassList"]),
    field("TrapType", "traps"),
    field("Cursor", "cursors"),
    field("LoadScreenID", "loadscreens"),
    field("SkyBox", "skyboxes"),
    field("MusicDay", "ambientmusic"),
    field("MusicNight", "ambientmusic"),
    field("MusicBattle", "ambientmusic"),
    field("AmbientSndDay", "ambientsound"),
    field("AmbientSndNight", "ambientsound"),
    field("EnvAudio", "soundeax"),
    field("PropertyName", "itempropdef"),
    field("CostTable", "iprp_costtable"),
    field("Param1", "iprp_paramtable").within(&["PropertiesList"]).or_none(255),
    field("FamiliarType", "hen_familiar"),
    field("CompanionType", "hen_companion"),
];

/// Columns of tables: the table, which can end in `*`, the column, and the table whose rows it names.
const COLUMNS: &[(&str, &str, &str)] = &[
    ("feat", "SPELLID", "spells"),
    ("feat", "PREREQFEAT1", "feat"),
    ("feat", "PREREQFEAT2", "feat"),
    ("feat", "SUCCESSOR", "feat"),
    ("feat", "OrReqFeat0", "feat"),
    ("feat", "OrReqFeat1", "feat"),
    ("feat", "OrReqFeat2", "feat"),
    ("feat", "OrReqFeat3", "feat"),
    ("feat", "OrReqFeat4", "feat"),
    ("feat", "REQSKILL", "skills"),
    ("feat", "REQSKILL2", "skills"),
    ("feat", "MASTERFEAT", "masterfeats"),
    ("feat", "MinLevelClass", "classes"),
    ("spells", "Master", "spells"),
    ("spells", "SubRadSpell1", "spells"),
    ("spells", "SubRadSpell2", "spells"),
    ("spells", "SubRadSpell3", "spells"),
    ("spells", "SubRadSpell4", "spells"),
    ("spells", "SubRadSpell5", "spells"),
    ("spells", "Counter1", "spells"),
    ("spells", "Counter2", "spells"),
    ("spells", "FeatID", "feat"),
    ("racialtypes", "Appearance", "appearance"),
    ("racialtypes", "Favored", "classes"),
    ("appearance", "SOUND_APPTYPE", "appearancesndset"),
    ("appearance", "FOOTSTEPTYPE", "footstepsounds"),
    ("portraits", "Race", "racialtypes"),
    ("polymorph", "AppearanceType", "appearance"),
    ("polymorph", "RacialType", "racialtypes"),
    ("polymorph", "PortraitId", "portraits"),
    ("polymorph", "SoundSet", "soundset"),
    ("polymorph", "Spell1", "spells"),
    ("polymorph", "Spell2", "spells"),
    ("polymorph", "Spell3", "spells"),
    ("iprp_feats", "FeatIndex", "feat"),
    ("iprp_spells", "SpellIndex", "spells"),
    ("iprp_onhitspell", "SpellIndex", "spells"),
    ("metamagic", "FeatRequired", "feat"),
    ("cls_feat_*", "FeatIndex", "feat"),
    ("race_feat_*", "FeatIndex", "feat"),
    ("cls_skill_*", "SkillIndex", "skills"),
    ("domains", "Level_1", "spells"),
    ("domains", "Level_2", "spells"),
    ("domains", "Level_3", "spells"),
    ("domains", "Level_4", "spells"),
    ("domains", "Level_5", "spells"),
    ("domains", "Level_6", "spells"),
    ("domains", "Level_7", "spells"),
    ("domains", "Level_8", "spells"),
    ("domains", "Level_9", "spells"),
    ("domains", "GrantedFeat", "feat"),
    ("baseitems", "ReqFeat0", "feat"),
    ("baseitems", "ReqFeat1", "feat"),
    ("baseitems", "ReqFeat2", "feat"),
    ("baseitems", "ReqFeat3", "feat"),
    ("baseitems", "ReqFeat4", "feat"),
    ("bodybag", "Appearance", "placeables"),
    ("packages", "ClassID", "classes"),
    ("packages", "Domain1", "domains"),
    ("packages", "Domain2", "domains"),
    ("packft*", "FeatIndex", "feat"),
    ("packsk*", "SkillIndex", "skills"),
    ("packsp*", "SpellIndex", "spells"),
];

/// Returns the field of a tree that names rows, given what it is in, from the file inward.
pub(super) fn field_within(label: &str, within: &[String]) -> Option<&'static Field> {
    let fits = |field: &&Field| {
        field.label == label && (field.within.is_empty() || within.iter().any(|it| field.within.contains(&it.as_str())))
    };
    FIELDS.iter().find(fits)
}

/// Returns `true` if a field or a column is known that names rows of a table, whose name is in lower case.
pub(crate) fn is_named(table: &str) -> bool {
    FIELDS.iter().any(|field| field.table == table) || COLUMNS.iter().any(|(.., of)| *of == table)
}

/// Returns the columns of a table that name rows, each with the table of these rows.
pub(crate) fn columns_of_table(table: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let is_it = move |name: &str| match name.strip_suffix('*') {
        Some(begin) => table.get(..begin.len()).is_some_and(|it| it.eq_ignore_ascii_case(begin)),
        None => table.eq_ignore_ascii_case(name),
    };
    COLUMNS.iter().filter(move |(name, ..)| is_it(name)).map(|(_, column, of)| (*column, *of))
}
