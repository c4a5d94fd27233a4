//! The files of an install of each game, as data.

use kind::{Game, glob};

/// The reason why a file exists, and thus why it may be absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// Every full install has the file.
    Always,
    /// Every install has at least one of several files, which this names.
    OneOf(&'static str),
    /// Every install has at least as many of several files as this counts and names.
    AtLeast(&'static str),
    /// An option of the installer adds the file.
    Option(&'static str),
    /// A patch adds the file.
    Patch(&'static str),
    /// Only the demo has the file, in place of another.
    Demo,
    /// The game can read the file from the CD.
    Disc,
    /// The file is not game data: a document, an uninstaller or a library.
    Aside,
    /// The game creates the file.
    Written,
    /// A modder has added the file; the game takes it if it is there.
    Added,
}

/// What is not known about the list of the files of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Caveat {
    /// The whole list is not published.
    Open,
    /// Only the files that KEYs name are known.
    OpenBesideKeys,
    /// A later edition that has lost files looks like this one.
    MaybeLater,
}

impl Caveat {
    /// Returns it as a sentence.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Open => "Which other files it should have is not published.",
            Self::OpenBesideKeys => "Which files it should have besides those that its KEYs name is not published.",
            Self::MaybeLater => "A copy of 1999 that has lost its later missions looks the same.",
        }
    }

    /// Returns `true` if the game has files that no list names.
    #[must_use]
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Open | Self::OpenBesideKeys)
    }
}

/// A file, or the files that match a pattern.
pub(crate) struct Part {
    /// The path or pattern, in lower case.
    pub(super) path: String,
    pub(super) why: Why,
}

impl Why {
    /// Returns the code of the reason in JSON.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Always => "required",
            Self::OneOf(_) => "one-of",
            Self::AtLeast(_) => "at-least",
            Self::Option(_) => "option",
            Self::Patch(_) => "patch",
            Self::Demo => "demo",
            Self::Disc => "disc",
            Self::Aside => "extra",
            Self::Written => "generated",
            Self::Added => "added",
        }
    }

    /// Returns `true` if no option, edition or patch explains that the file is absent.
    #[must_use]
    pub const fn is_required(self) -> bool {
        matches!(self, Self::Always | Self::OneOf(_) | Self::AtLeast(_))
    }

    /// Returns the option that installs the file, the patch that brings it, or what several files are of which one or more are required, or
    /// `None` for other reasons.
    #[must_use]
    pub const fn detail(self) -> Option<&'static str> {
        match self {
            Self::OneOf(name) | Self::AtLeast(name) | Self::Option(name) | Self::Patch(name) => Some(name),
            Self::Always | Self::Demo | Self::Disc | Self::Aside | Self::Written | Self::Added => None,
        }
    }
}

impl Part {
    /// Creates a file of a list, by its path in lower case.
    pub(crate) const fn new(path: String, why: Why) -> Self {
        Self { path, why }
    }

    /// Returns the path or pattern, in lower case.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// Returns the reason why the file exists.
    pub(crate) const fn why(&self) -> Why {
        self.why
    }

    /// Returns `true` if the file at this lower-case path belongs to the part.
    pub(crate) fn holds(&self, path: &str) -> bool {
        self.path == path || !self.is_one_file() && glob::fits(&self.path, path, true)
    }

    /// Returns `true` if the part is a single file with a known name.
    pub(super) fn is_one_file(&self) -> bool {
        !self.path.contains('*')
    }
}

/// Returns the parts of a game, with exact paths before patterns.
pub(super) fn parts(game: Game) -> Vec<Part> {
    let lists: &[&[(&str, Why)]] = match game {
        Game::Recoil => &[RECOIL],
        Game::MechWarrior3 => &[MECHWARRIOR_3],
        Game::PiratesMoon => &[PIRATES_MOON],
        Game::CrimsonSkies => &[CRIMSON_SKIES],
        _ => &[],
    };
    let all = lists.iter().copied().flatten();
    all.flat_map(|&(pattern, why)| expand(pattern).into_iter().map(move |path| Part { path, why })).collect()
}

/// Returns the files that all of some games require, given those of each.
pub(crate) fn required_by_all(games: &[Game], parts: impl Fn(Game) -> Vec<Part>) -> Vec<Part> {
    let (mut all, others) = match games.split_first() {
        Some((first, others)) => (parts(*first), others),
        None => return Vec::new(),
    };
    all.retain(|part| part.why == Why::Always);
    for game in others {
        let own = parts(*game);
        all.retain(|part| own.iter().any(|it| it.path == part.path && it.why == Why::Always));
    }
    all
}

/// Files of the options of an installer, of which every install has some.
pub(super) struct Group {
    /// The folders that have such files each, with lists in braces.
    folders: &'static str,
    /// The names of the files, with lists in braces and `*`.
    names: &'static str,
    /// The number of files that every install has at least.
    least: usize,
    /// What they are, and how many if there are several.
    what: &'static str,
}

const fn one_of(folders: &'static str, names: &'static str, what: &'static str) -> Group {
    Group { folders, names, least: 1, what }
}

impl Group {
    /// Returns the groups of which an install lacks files, each as a pattern with what it is. `paths` are in lower case.
    pub(super) fn lacking(&self, paths: &[String]) -> impl Iterator<Item = (String, Why)> {
        let lacks = |folder: &String| {
            let patterns: Vec<String> = expand(self.names).iter().map(|name| format!("{folder}{name}")).collect();
            let is_one = |path: &&String| patterns.iter().any(|pattern| glob::fits(pattern, path, true));
            paths.iter().filter(is_one).count() < self.least
        };
        let folders = expand(self.folders).into_iter().filter(lacks);
        let why = if self.least == 1 { Why::OneOf(self.what) } else { Why::AtLeast(self.what) };
        folders.map(move |folder| (format!("{folder}{}", self.names), why))
    }
}

/// Returns the groups of files of a game of which every install has some. Source: `zipper-installs.md`, sections 2.2, 2.3, 3 and 5.
pub(super) fn groups(game: Game) -> &'static [Group] {
    const SOUNDS: Group = one_of("zbd/", "{soundsl,soundsh}.zbd", "sounds");
    const MECHWARRIOR_3: &[Group] = &[
        SOUNDS,
        one_of("zbd/", "{rmechtex,rmechtex16,rmechtexs}.zbd", "textures of 'Mechs"),
        one_of(
            "zbd/{c1,c2,c3,c4,c4b,t1}/",
            "{texture1,texture2,texture,rtexture2,rtexture3,rtexture}.zbd",
            "textures of a chapter",
        ),
    ];
    const PIRATES_MOON: &[Group] = &[
        SOUNDS,
        one_of("zbd/", "*tex*.zbd", "textures of 'Mechs"),
        one_of("zbd/{c1,c2,c3,c4}/", "*tex*.zbd", "textures of a chapter"),
        one_of("zbd/{c1,c2,c3,c4}/", "{readeria,readerm}*.zbd", "readers of missions"),
    ];
    // The sum is known, and how the folders share it is inferred.
    const CRIMSON_SKIES: &[Group] = &[
        Group { least: 21, ..one_of("zbd/", "*/mp*/mis_anim.zbd", "21 multiplayer missions") },
        Group { least: 21, ..one_of("zbd/", "*/mp*/zrdr.zbd", "21 multiplayer missions") },
    ];
    match game {
        Game::MechWarrior3 => MECHWARRIOR_3,
        Game::PiratesMoon => PIRATES_MOON,
        Game::CrimsonSkies => CRIMSON_SKIES,
        _ => &[],
    }
}

/// Returns `true` if the whole list of the files of a game is published. Source: `zipper-installs.md`, section 3.
pub(super) const fn is_list_whole(game: Game) -> bool {
    !matches!(game, Game::PiratesMoon)
}

/// Expands lists in braces: `a{1,2}b` gives `a1b` and `a2b`.
pub(crate) fn expand(pattern: &str) -> Vec<String> {
    let parts = pattern.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)));
    let Some((before, (list, after))) = parts else { return vec![pattern.to_owned()] };
    let rest = expand(after);
    list.split(',').flat_map(|item| rest.iter().map(move |rest| format!("{before}{item}{rest}"))).collect()
}

/// Source: `zipper-installs.md`, section 2.
const MECHWARRIOR_3: &[(&str, Why)] = &[
    ("{mech3.exe,mech3msg.dll,defaultctlconfig.zrd,force_eff.ifr}", Why::Always),
    ("{msn gaming zone.url,readme.doc,readme.txt,uninstl.ddl,uninstall.isu}", Why::Aside),
    ("zbd/{interp,mechlib,motion,reader,rimage}.zbd", Why::Always),
    ("zbd/rmechtex.zbd", Why::Option("hardware, 4 MB and more")),
    ("zbd/rmechtex16.zbd", Why::Option("hardware, 2 MB")),
    ("zbd/rmechtexs.zbd", Why::Option("software")),
    ("zbd/soundsl.zbd", Why::Option("sound, low")),
    ("zbd/soundsh.zbd", Why::Option("sound, high")),
    ("zbd/soundsm.zbd", Why::Demo),
    ("{mech3demo.exe,zbd/rlab.zbd,zbd/c4/readerm4.zbd}", Why::Demo),
    ("zbd/{c1,c2,c3,c4,c4b,t1}/{anim,gamez,reader}.zbd", Why::Always),
    ("zbd/{c1,c2,c3,c4,c4b,t1}/texture1.zbd", Why::Option("software, low")),
    ("zbd/{c1,c2,c3,c4,c4b,t1}/texture2.zbd", Why::Option("software, medium")),
    ("zbd/{c1,c2,c3,c4,c4b,t1}/texture.zbd", Why::Option("software, best")),
    ("zbd/{c1,c2,c3,c4,c4b,t1}/rtexture2.zbd", Why::Option("hardware, 2 MB")),
    ("zbd/{c1,c2,c3,c4,c4b,t1}/rtexture3.zbd", Why::Option("hardware, 4 MB")),
    ("zbd/{c1,c2,c3,c4,c4b,t1}/rtexture.zbd", Why::Option("hardware, 8 MB and more")),
    ("zbd/{c1,c2,c3,c4}/readeria{1,2,3}.zbd", Why::Always),
    ("zbd/{c1,c2}/readerm{1,2,3,4}.zbd", Why::Always),
    ("zbd/c3/readerm{1,2,3,4,5,6}.zbd", Why::Always),
    ("zbd/c4/readerm{1,2,3}.zbd", Why::Always),
    ("zbd/c4b/readerm{4,5,6}.zbd", Why::Always),
    ("zbd/{c1,c2,c3,c4}/readermp{1,2}.zbd", Why::Always),
    ("zbd/t1/{readeria1,readerm1,readerm2,readerm3,readerm4,readermp1}.zbd", Why::Always),
    ("zbd/c3/readermp{3,4}.zbd", Why::Patch("1.2")),
    ("zbd/*.wav", Why::Patch("1.2")),
    ("video/{intro,campaign,c1,c1m1,c1m2,c1m3,c1m4,c2,c2m1,c2m2,c2m3,c2m4}.avi", Why::Disc),
    ("video/{c3,c3m1,c3m2,c3m4,c3m5,c3m6,c4win}.avi", Why::Disc),
    ("{mech3.ic*,*.dll}", Why::Aside),
    ("{*.mw3,*/*.mw3,*/*/*.mw3}", Why::Written),
    ("{pilots/*,pilots/*/*,pilots/*/*/*,keys/*,keys/*/*}", Why::Written),
];

/// The lists of chapters, missions and textures are not published. Source: `zipper-installs.md`, section 3.
const PIRATES_MOON: &[(&str, Why)] = &[
    ("{mech3.exe,mech3msg.dll}", Why::Always),
    ("zbd/{interp,mechlib,motion,reader,rimage}.zbd", Why::Always),
    ("zbd/soundsl.zbd", Why::Option("sound, low")),
    ("zbd/soundsh.zbd", Why::Option("sound, high")),
    ("zbd/{*tex*,*/*tex*}.zbd", Why::Option("textures")),
    ("zbd/{c1,c2,c3,c4}/{anim,gamez,reader}.zbd", Why::Always),
    ("zbd/*/{anim,gamez,reader*}.zbd", Why::Always),
    ("video/*.avi", Why::Disc),
    ("*.dll", Why::Aside),
    // Of circulating copies.
    ("{mech3.out*,mech3.err*,*.log,mw3pm.reg*,uninst.isu*}", Why::Aside),
    ("{*.mw3,*/*.mw3,*/*/*.mw3}", Why::Written),
    ("{pilots/*,pilots/*/*,pilots/*/*/*,keys/*,keys/*/*}", Why::Written),
];

/// Source: `zipper-installs.md`, section 4.
const RECOIL: &[(&str, Why)] = &[
    ("{recoil.exe,messages.dll}", Why::Always),
    ("zbd/{interp,image,zrdr,soundsl,soundsm,soundsh}.zbd", Why::Always),
    ("zbd/m{1,2,3,4,5,6,7,8,9,10,11,12,13}/{anim,gamez,zrdr}.zbd", Why::Always),
    ("zbd/m{1,2,3,4,5,6,7,8,9,10,11,12,13}/{texture2,texture4,rtexture2,rtexture4}.zbd", Why::Always),
    ("zbd/m{1,2,3,4,5,6,13}/texture6.zbd", Why::Always),
    ("zbd/m6/texture8.zbd", Why::Always),
    ("zbd/*image.zbd", Why::Option("textures")),
    ("zbd/m*/*texture*.zbd", Why::Added),
    ("maps/m{1,2,3,4,5,6,7,8,9,10,11,12}.zmap", Why::Always),
    ("video/*.avi", Why::Disc),
    ("*.dll", Why::Aside),
    ("savedgames/*", Why::Written),
];

/// Source: `zipper-installs.md`, section 5.
const CRIMSON_SKIES: &[(&str, Why)] = &[
    ("{crimson.exe,crimson.icd,strings.dll,crimsonff.ifr}", Why::Always),
    ("zbd/{interp,planes,rimage,soundsh,soundsl,zrdr}.zbd", Why::Always),
    ("zbd/{c1,c1b,c1c,c2,c2b,c3,c4,c5}/{cam_anim,gamez,zrdr}.zbd", Why::Always),
    ("zbd/{c1,c1b,c1c,c2,c2b,c3,c4,c5}/{texture,rtexture2,rtexture4,rtexture6,rtexture8}.zbd", Why::Always),
    ("zbd/{c1/rtexture15,c1b/rtexture11,c1c/rtexture10,c2/rtexture14,c2b/rtexture9}.zbd", Why::Always),
    ("zbd/{c3/rtexture12,c4/rtexture14,c5/rtexture14}.zbd", Why::Always),
    ("zbd/{c1/m02,c1/m04,c1/m05,c1b/m03,c1c/m01,c2b/m04}/{mis_anim,zrdr}.zbd", Why::Always),
    ("zbd/{c2/m01,c2/m02,c2/m03,c2/m05,c5/m01,c5/m02,c5/m03,c5/m04}/{mis_anim,zrdr}.zbd", Why::Always),
    ("zbd/{c3,c4}/{m01,m02,m03,m04,m05}/{mis_anim,zrdr}.zbd", Why::Always),
    ("zbd/{c1,c1b,c1c,c2,c2b,c3,c4,c5}/ia1/{mis_anim,zrdr}.zbd", Why::Always),
    ("zbd/*/*/{mis_anim,zrdr}.zbd", Why::Always),
    ("gosdata/assets/{crimson,crimptch}.rof", Why::Always),
    ("gosdata/assets/graphics/{font,arial8}.tga", Why::Always),
    (
        "gosdata/assets/graphics/mpg/{msopen1,zipper,chap0,chap1,chap2,chap3,chap4,chap5,final,crimflag}.mpg",
        Why::Always,
    ),
    ("gosdata/assets/binaries/{langui,language,roffile,ijl10}.dll", Why::Always),
    ("{eula.rtf,readme.rtf,ebusetup.sem,00000409.016,00000409.256}", Why::Aside),
    ("{ebueula.dll,setupenu.dll,uninstal.exe,clokspl.exe,dsetup32.dll,mcp.dll,mfc42.dll,msvcrt.dll}", Why::Aside),
    ("{*.dll,*.exe,*.icd}", Why::Aside),
    ("{planes/*,savedgames/*,savedgames/*/*}", Why::Written),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absent_file_of_a_group_is_said_to_be_one_of_so_many() {
        let paths: Vec<String> = (1..=20).map(|nth| format!("zbd/c1/mp{nth}/zrdr.zbd")).collect();
        let [_, missions] = groups(Game::CrimsonSkies) else { panic!("two groups") };
        let lacking: Vec<_> = missions.lacking(&paths).collect();
        assert_eq!(lacking, [("zbd/*/mp*/zrdr.zbd".to_owned(), Why::AtLeast("21 multiplayer missions"))]);
        let [sounds, ..] = groups(Game::MechWarrior3) else { panic!("groups") };
        assert!(sounds.lacking(&paths).all(|(_, why)| why == Why::OneOf("sounds")));
    }

    #[test]
    fn braces_expand_to_all_alternatives() {
        assert_eq!(expand("a{1,2}b{x,y}"), ["a1bx", "a1by", "a2bx", "a2by"]);
        assert_eq!(expand("plain"), ["plain"]);
    }

    /// Source: `zipper-installs.md`, sections 2.2, 2.4, 4 and 5.
    #[test]
    fn lists_have_as_many_files_as_the_installs() {
        let count = |game, ending: &str, patch: bool| {
            let parts = parts(game);
            let parts = parts.iter().filter(|part| part.is_one_file() && part.path.ends_with(ending));
            parts.filter(|part| part.why != Why::Demo && (patch || !matches!(part.why, Why::Patch(_)))).count()
        };
        assert_eq!(count(Game::MechWarrior3, ".zbd", false), 110);
        assert_eq!(count(Game::MechWarrior3, ".zbd", true), 112);
        assert_eq!(count(Game::MechWarrior3, ".avi", true), 19);
        assert_eq!(count(Game::Recoil, ".zbd", true), 105);
        // All except for the two files of each of the 21 multiplayer missions.
        assert_eq!(count(Game::CrimsonSkies, ".zbd", true), 184 - 42);
        assert_eq!(count(Game::CrimsonSkies, ".mpg", true), 10);
    }
}
