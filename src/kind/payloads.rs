//! One declaration for all contents of entries that a family knows.

/// Declares the possible contents of an entry, with the kind of each, and implements [`Payload`](field::Payload) and
/// [`Lint`](lint::Lint). They have one more variant, for raw bytes.
///
/// `fn fitting(&Label, &Bytes) -> Self` of the type recognizes them. `empty` is an empty model, if that is not the default;
/// `raw` is the file extension, if the exchange format keeps such an entry as raw bytes.
#[macro_export]
macro_rules! payloads {
    ($(#[$meta:meta])* $vis:vis enum $name:ident {
        $($(#[$of_meta:meta])* $variant:ident($of:ty) = $kind:expr $(, empty $empty:expr)? $(, raw $raw:expr)?;)*
    }) => {
        $(#[$meta])*
        #[derive(Clone, Debug)]
        #[allow(missing_docs, reason = "the types in them say it")]
        $vis enum $name {
            $($(#[$of_meta])* $variant($of),)*
            /// Bytes kept as raw bytes.
            Opaque($crate::macros::field::Block),
        }

        impl Default for $name {
            fn default() -> Self {
                Self::Opaque($crate::macros::field::Block::default())
            }
        }

        impl $crate::macros::field::build::Lay for $name {
            fn lay(&mut self, t: &mut $crate::macros::field::build::Tape<'_>) -> $crate::macros::field::Result {
                match self {
                    $(Self::$variant(model) => model.lay(t),)*
                    Self::Opaque(bytes) => t.rest("bytes", $crate::macros::field::Run::Opaque, bytes),
                }
            }
        }

        impl $crate::macros::field::walk::Lay for $name {
            fn lay(&self, t: &mut $crate::macros::field::walk::Tape<'_>) -> $crate::macros::field::Result {
                match self {
                    $(Self::$variant(model) => model.lay(t),)*
                    Self::Opaque(bytes) => t.rest("bytes", $crate::macros::field::Run::Opaque, bytes),
                }
            }
        }

        $crate::macros::lint::lint_as!($name, it => match it {
            $(Self::$variant(model) => model,)*
            Self::Opaque(_) => &(),
        });

        impl $crate::macros::field::Payload for $name {
            fn kind(&self) -> &'static str {
                match self {
                    $(Self::$variant(_) => $kind,)*
                    Self::Opaque(_) => "opaque",
                }
            }

            fn recognize(label: &$crate::macros::field::Label, bytes: &bytes::Bytes) -> Self {
                Self::fitting(label, bytes)
            }

            fn opaque() -> Self {
                Self::default()
            }

            fn of_kind(kind: &str) -> Option<Self> {
                $(if kind == $kind {
                    return Some(Self::$variant($crate::payloads!(@empty $($empty)?)));
                })*
                (kind == "opaque").then(Self::default)
            }

            fn raw(&self) -> Option<&'static str> {
                match self {
                    $(Self::$variant(_) => $crate::payloads!(@raw $($raw)?),)*
                    Self::Opaque(_) => Some("bin"),
                }
            }
        }
    };
    (@empty) => { <_>::default() };
    (@empty $empty:expr) => { $empty };
    (@raw) => { None };
    (@raw $raw:expr) => { $raw };
}

/// Lays out records that are whole entries. Used inside `lay!`.
#[macro_export]
macro_rules! lay_record {
    ($($record:ty),* $(,)?) => {
        $(impl Lay for $record {
            fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
                t.fields(self)
            }
        })*
    };
}
