//! Declarations of traps and of what reports them.

use super::Lint;

/// Declares traps, and a list of them all for [`Format::TRAPS`](crate::kind::Format::TRAPS): name, id, scope, sentences, source.
macro_rules! traps {
    ($list:ident: $($name:ident = $id:literal in $scope:ident: $what:literal => $effect:literal, $source:literal;)+) => {
        /// All traps declared here.
        pub(crate) static $list: &[&$crate::lint::Trap] = &[$(&$name),+];

        $(pub(super) static $name: $crate::lint::Trap =
            $crate::lint::Trap::new($id, $crate::lint::Scope::$scope, $what, $effect, $source);)+
    };
}
pub(crate) use traps;

/// Lets a type report what it holds reports.
macro_rules! lint_as {
    ($(@[$($generics:tt)*])? $of:ty, $it:ident => $inner:expr) => {
        impl$(<$($generics)*>)? $crate::lint::Lint for $of {
            fn lint(&self, out: &mut $crate::lint::Warnings<'_>) {
                let $it = self;
                let inner: &dyn $crate::lint::Lint = $inner;
                inner.lint(out);
            }

            fn watch(&self, out: &mut $crate::lint::Watch<'_>) {
                let $it = self;
                let inner: &dyn $crate::lint::Lint = $inner;
                inner.watch(out);
            }

            fn each_entry(&self, pass: &mut $crate::lint::Entries<'_>) {
                let $it = self;
                let inner: &dyn $crate::lint::Lint = $inner;
                inner.each_entry(pass);
            }
        }
    };
}
pub(crate) use lint_as;

/// Declares models that have no traps.
macro_rules! no_traps {
    ($($of:ty),* $(,)?) => { $(impl $crate::lint::Lint for $of {})* };
}
pub(crate) use no_traps;

lint_as!(@[L: Lint] &L, it => *it);
lint_as!(@[L: Lint] Box<L>, it => &**it);
