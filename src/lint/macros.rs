//! Declarations of traps and of what reports them.

use super::Lint;

/// Declares traps, and a list of them all for `Format::TRAPS`: name, id, scope, sentences, source.
#[macro_export]
macro_rules! traps {
    ($list:ident: $($name:ident = $id:literal in $scope:ident: $what:literal => $effect:literal, $source:literal;)+) => {
        /// All traps declared here.
        pub static $list: &[&$crate::Trap] = &[$(&$name),+];

        $(pub(super) static $name: $crate::Trap =
            $crate::Trap::new($id, $crate::Scope::$scope, $what, $effect, $source);)+
    };
}

/// Lets a type report what it holds reports.
#[macro_export]
macro_rules! lint_as {
    ($(@[$($generics:tt)*])? $of:ty, $it:ident => $inner:expr) => {
        impl$(<$($generics)*>)? $crate::Lint for $of {
            fn lint(&self, out: &mut $crate::Warnings<'_>) {
                let $it = self;
                let inner: &dyn $crate::Lint = $inner;
                inner.lint(out);
            }

            fn has_signs(&self) -> bool {
                let $it = self;
                let inner: &dyn $crate::Lint = $inner;
                inner.has_signs()
            }

            fn watch(&self, out: &mut $crate::Watch<'_>) {
                let $it = self;
                let inner: &dyn $crate::Lint = $inner;
                inner.watch(out);
            }

            fn each_entry(&self, pass: &mut $crate::Entries<'_>) {
                let $it = self;
                let inner: &dyn $crate::Lint = $inner;
                inner.each_entry(pass);
            }
        }
    };
}

/// Declares models that have no traps.
#[macro_export]
macro_rules! no_traps {
    ($($of:ty),* $(,)?) => { $(impl $crate::Lint for $of {})* };
}

lint_as!(@[L: Lint] &L, it => *it);
lint_as!(@[L: Lint] Box<L>, it => &**it);
