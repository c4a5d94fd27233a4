//! The games of this engine as types, which select the records of formats that differ between them.

use core::fmt::Debug;

use field::Record;
use kind;

/// A record that is part of a model.
pub trait GameRecord: Record + Default + Debug + Send {}

impl<R: Record + Default + Debug + Send> GameRecord for R {}

/// A game of this engine.
pub trait Game: Clone + Debug + Default + Send + 'static {
    /// The game.
    const TITLE: kind::Game;
}

macro_rules! games {
    ($($game:ident, $title:literal;)*) => {
        /// All games of this engine.
        pub(super) const ALL: &[kind::Game] = &[$(kind::Game::$game),*];

        $(
            #[doc = $title]
            #[derive(Clone, Copy, Debug, Default)]
            pub struct $game;

            impl Game for $game {
                const TITLE: kind::Game = kind::Game::$game;
            }
        )*
    };
}

games! {
    Recoil, "Recoil.";
    MechWarrior3, "MechWarrior 3.";
    PiratesMoon, "Pirate's Moon.";
    CrimsonSkies, "Crimson Skies.";
}

/// Declares the contents of a file that are a model of one of the games, which is selected by a version.
macro_rules! by_game {
    ($(#[$meta:meta])* $vis:vis enum $name:ident($model:ident), $version:ty { $($game:ident = $number:path,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Debug)]
        #[allow(missing_docs, reason = "the games say it")]
        $vis enum $name {
            $($game(Box<$model<$game>>),)*
        }

        impl Default for $name {
            fn default() -> Self {
                Self::Recoil(Box::default())
            }
        }

        impl $name {
            /// Returns empty contents for a version, or `None` if the version is unknown.
            fn of(version: $version) -> Option<Self> {
                match version {
                    $($number => Some(Self::$game(Box::default())),)*
                    _ => None,
                }
            }

            /// Returns the games that can have files of a version: all if it is unknown.
            fn games(version: $version) -> Vec<kind::Game> {
                match version {
                    $($number => vec![<$game as $crate::games::Game>::TITLE],)*
                    _ => $crate::games::ALL.to_vec(),
                }
            }
        }

        impl field::build::Lay for $name {
            fn lay(&mut self, t: &mut field::build::Tape<'_>) -> field::Result {
                match self { $(Self::$game(model) => model.lay(t),)* }
            }
        }

        ::lint::lint_as!($name, it => match it {
            $(Self::$game(model) => model,)*
        });

        impl field::walk::Lay for $name {
            fn lay(&self, t: &mut field::walk::Tape<'_>) -> field::Result {
                match self { $(Self::$game(model) => model.lay(t),)* }
            }
        }
    };
}
pub(super) use by_game;
