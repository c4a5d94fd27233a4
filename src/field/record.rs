//! `record!`: declares a fixed-size record and implements all its traits.

/// Declares a record of fixed size.
///
/// ```
/// # extern crate bitexact_field as bitexact;
/// use bitexact::{field::{F32, Stale, U32}, record};
///
/// record! {
///     /// A light, 28 bytes.
///     pub struct Light: 28 {
///         near: F32,                                      // a free value; its class comes from its type
///         far: F32,
///         far_sq: F32 => |r| r.far.get() * r.far.get(),   // an exact rule over other fields
///         unk0c: F32 = -1.0,                              // reserved: a constant
///         count: U32 as Outside,                          // the container fills it in
///         list: U32 as Pointer,                           // a class different from the type's
///         junk: Stale<4>,
///     }
/// }
/// assert_eq!(size_of::<Light>(), 28);
/// assert_eq!(Light::default().unk0c.get(), -1.0);
/// ```
///
/// A field of a row of a table that stores where its item begins is written `name: Type as Offset`, and one that stores the item's length
/// `name: Type as Length`: both follow from the arrangement of the items.
///
/// A rule that is compared and reported but never enforced is written `name: Type as Advisory => |r| …`. A number whose names depend on
/// other fields is written `name: Type as Named => |r| …`, where the closure returns a shape of the same size.
///
/// # Expansion
///
/// Fields get their [`Shape`](crate::Shape) and class from their type, the rest from the declaration. The record above,
/// shortened to three fields, expands to:
///
/// ```ignore
/// #[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
/// #[repr(C)]
/// pub struct Light { pub near: F32, pub far_sq: F32, pub unk0c: F32 }
///
/// const _: () = assert!(size_of::<Light>() == 28 && align_of::<Light>() == 1);
///
/// impl Record for Light {
///     const LAYOUT: &'static Layout = &Layout::new("Light", 28, &[
///         Field { name: "near", offset: 0, shape: F32::SHAPE, class: F32::CLASS, rule: Rule::Free, named: None },
///         Field { name: "far_sq", offset: 8, shape: F32::SHAPE, class: Class::Derived,
///             rule: Rule::Exact(|record, out| /* the closure over the record, its bytes into out */), named: None },
///         Field { name: "unk0c", offset: 12, shape: F32::SHAPE, class: Class::Reserved,
///             rule: Rule::Constant(|out| /* the bytes of F32::from(-1.0) into out */), named: None },
///     ], || /* the template of the record, made once */);
/// }
/// impl Shaped for Light { const SHAPE: Shape = Shape::Record(Light::LAYOUT); const CLASS: Class = Class::Semantic; }
/// impl Default for Light { /* zeros, with the constants of the reserved fields */ }
/// impl BinRead for Light { /* 28 bytes at once */ }
/// impl BinWrite for Light { /* 28 bytes at once */ }
/// ```
#[macro_export]
macro_rules! record {
    ($(#[$meta:meta])* $vis:vis struct $name:ident: $size:literal {
        $($(#[$field_meta:meta])* $field:ident: $of:ty $(as $role:ident)? $(= $value:expr)? $(=> $rule:expr)?),* $(,)?
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, $crate::macros::bytemuck::Pod, $crate::macros::bytemuck::Zeroable)]
        #[bytemuck(crate = "::bitexact::macros::bytemuck")]
        #[repr(C)]
        $vis struct $name { $($(#[$field_meta])* #[allow(missing_docs)] pub $field: $of),* }

        const _: () = assert!(size_of::<$name>() == $size && align_of::<$name>() == 1);

        impl $crate::Record for $name {
            const LAYOUT: &'static $crate::Layout =
                &$crate::Layout::new(stringify!($name), $size, &[$($crate::Field {
                    name: stringify!($field),
                    offset: core::mem::offset_of!($name, $field),
                    shape: <$of as $crate::Shaped>::SHAPE,
                    class: $crate::record!(@class $of; [$($role)?] [$($value)?] [$($rule)?]),
                    rule: $crate::record!(@rule $name, $of; [$($role)?] [$($value)?] [$($rule)?]),
                    named: $crate::record!(@named $name; [$($role)?] [$($rule)?]),
                }),*], || {
                    static TEMPLATE: std::sync::OnceLock<$crate::Template> = std::sync::OnceLock::new();
                    $crate::Template::once(&TEMPLATE, <$name as $crate::Record>::LAYOUT)
                });
        }

        impl $crate::Shaped for $name {
            const SHAPE: $crate::Shape =
                $crate::Shape::Record(<Self as $crate::Record>::LAYOUT);
            const CLASS: $crate::Class = $crate::Class::Semantic;
        }

        impl Default for $name {
            fn default() -> Self {
                let mut record: Self = $crate::macros::zeroed();
                let _ = &mut record;
                $($(record.$field = <$of>::from($value);)?)*
                record
            }
        }

        $crate::binrw_over_bytes!($name);
        $($crate::record!(@stores $name, $field: $of; [$($role)?]);)*
    };

    (@stores $name:ident, $field:ident: $of:ty; [Offset]) => {
        impl $crate::macros::StoresOffset for $name {
            type Offset = $of;
            const OFFSET: &'static str = stringify!($field);
            fn offset(&mut self) -> &mut $of { &mut self.$field }
        }
    };
    (@stores $name:ident, $field:ident: $of:ty; [Length]) => {
        impl $crate::macros::StoresLength for $name {
            type Length = $of;
            const LENGTH: &'static str = stringify!($field);
            fn length(&mut self) -> &mut $of { &mut self.$field }
        }
    };
    (@stores $($any:tt)*) => {};

    (@class $of:ty; [] [] []) => { <$of as $crate::Shaped>::CLASS };
    (@class $of:ty; [] [$value:expr] []) => { $crate::Class::Reserved };
    (@class $of:ty; [Named] [] [$rule:expr]) => { <$of as $crate::Shaped>::CLASS };
    (@class $of:ty; [$($any:ident)?] [] [$rule:expr]) => { $crate::Class::Derived };
    (@class $of:ty; [Outside] [] []) => { $crate::Class::Derived };
    (@class $of:ty; [Offset] [] []) => { $crate::Class::Derived };
    (@class $of:ty; [Length] [] []) => { $crate::Class::Derived };
    (@class $of:ty; [$class:ident] [$($value:expr)?] []) => { $crate::Class::$class };

    (@rule $name:ident, $of:ty; [Outside] [] []) => { $crate::Rule::Outside };
    (@rule $name:ident, $of:ty; [Offset] [] []) => { $crate::Rule::Outside };
    (@rule $name:ident, $of:ty; [Length] [] []) => { $crate::Rule::Outside };
    (@rule $name:ident, $of:ty; [$($class:ident)?] [] []) => { $crate::Rule::Free };
    (@rule $name:ident, $of:ty; [$($class:ident)?] [$value:expr] []) => {
        $crate::Rule::Constant(|out| $crate::macros::put(&<$of>::from($value), out))
    };
    (@rule $name:ident, $of:ty; [Named] [] [$rule:expr]) => { $crate::Rule::Free };
    (@rule $name:ident, $of:ty; [Advisory] [] [$rule:expr]) => {
        $crate::Rule::Advisory(|record, out| $crate::record!(@apply $name, $of, $rule, record, out))
    };
    (@rule $name:ident, $of:ty; [] [] [$rule:expr]) => {
        $crate::Rule::Exact(|record, out| $crate::record!(@apply $name, $of, $rule, record, out))
    };
    (@named $name:ident; [Named] [$rule:expr]) => {
        Some(|record| {
            let named: fn(&$name) -> &'static $crate::Shape = $rule;
            named($crate::macros::view::<$name>(record).unwrap_or(&$crate::macros::zeroed()))
        })
    };
    (@named $name:ident; [$($role:ident)?] [$($rule:expr)?]) => { None };
    (@apply $name:ident, $of:ty, $rule:expr, $record:ident, $out:ident) => {{
        let rule: fn(&$name) -> _ = $rule;
        if let Some(record) = $crate::macros::view::<$name>($record) {
            $crate::macros::put(&<$of>::from(rule(record)), $out);
        }
    }};
}

/// Implements binrw's traits for a record, whose bytes are those of the file.
#[cfg(feature = "binrw")]
#[doc(hidden)]
#[macro_export]
macro_rules! binrw_over_bytes {
    ($record:ident) => {
        impl $crate::macros::binrw::BinRead for $record {
            type Args<'a> = ();

            fn read_options<R: std::io::Read + std::io::Seek>(
                reader: &mut R,
                _: $crate::macros::binrw::Endian,
                (): Self::Args<'_>,
            ) -> $crate::macros::binrw::BinResult<Self> {
                let mut record: Self = $crate::macros::zeroed();
                reader.read_exact($crate::macros::bytes_of_mut(&mut record))?;
                Ok(record)
            }
        }

        impl $crate::macros::binrw::BinWrite for $record {
            type Args<'a> = ();

            fn write_options<W: std::io::Write + std::io::Seek>(
                &self,
                writer: &mut W,
                _: $crate::macros::binrw::Endian,
                (): Self::Args<'_>,
            ) -> $crate::macros::binrw::BinResult<()> {
                Ok(writer.write_all($crate::macros::bytes_of(self))?)
            }
        }
    };
}

/// Without the feature, a record has no traits of binrw.
#[cfg(not(feature = "binrw"))]
#[doc(hidden)]
#[macro_export]
macro_rules! binrw_over_bytes {
    ($record:ident) => {};
}
