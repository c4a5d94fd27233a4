//! The public interface of the library, and of each crate below it, matches a snapshot, so that every change to it is noticed.
//!
//! Rust reports `pub` items that no path leads to (`unreachable_pub`), so every item that is declared `pub` is public, and the
//! sources are enough to list them. Items are listed at their declarations; the `use` lines show their other paths.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, Fields, ImplItem, Item, Meta, TraitItem, UseTree, Visibility};

use crate::harness;

#[test]
fn interface_matches_its_snapshot() {
    let mut interface = Interface::default();
    let src = harness::root().join("src");
    interface.file("bitexact", &src.join("lib.rs"));
    for name in fs::read_dir(&src).unwrap().map(|it| it.unwrap().file_name().into_string().unwrap()) {
        if src.join(&name).join("Cargo.toml").is_file() {
            interface.file(&format!("bitexact_{name}"), &src.join(&name).join("lib.rs"));
        }
    }
    assert!(interface.lines.len() > 1000, "the sources are read to their leaves");
    insta::with_settings!({ snapshot_path => "../golden/snapshots", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("interface", interface.text());
    });
}

#[test]
fn public_items_are_found_wherever_they_are_declared() {
    let before = listed("pub mod m { pub struct S { pub field: u8 } }");
    for (source, line) in [
        ("pub fn planted(x: &u8) -> Vec<u8> { vec![*x] }", "bitexact::planted: fn planted(x: &u8) -> Vec<u8>"),
        ("mod a { mod b { pub const PLANTED: u8 = 1; } }", "bitexact::a::b::PLANTED: const PLANTED: u8"),
        ("mod a; pub use a::{b as Planted, c};", "bitexact: use a::b as Planted"),
        (
            "#[non_exhaustive] pub enum Planted { A(u8), B { c: u8 } }",
            "bitexact::Planted: #[non_exhaustive] enum Planted { A(u8), B { c: u8 } }",
        ),
        ("pub struct Planted { pub a: u8, b: u8 }", "bitexact::Planted: struct Planted { a: u8, .. }"),
        ("impl<T> S<T> { pub fn planted(self) {} }", "bitexact::S<T>: impl<T> fn planted(self)"),
        ("pub struct S; impl Planted for S {}", "bitexact::S: impl Planted"),
        ("pub trait T { fn planted(&self) {} }", "bitexact::T: fn planted(&self)"),
        ("record! { /// A.\n pub struct Planted: 4 { a: U32 = 1, } }", "bitexact::Planted: record Planted { a: U32 }"),
        ("flags! { pub struct F(U32: u32) { PLANTED = 1; } }", "bitexact::F: flags F(U32: u32) { PLANTED }"),
        ("lay! { impl S { pub fn planted(self: at!(Self)) {} } }", "bitexact::S: impl fn planted(self: at!(Self))"),
        (
            "macro_rules! m { ($a:ident) => { impl $a { pub fn planted(self) {} } }; }",
            "bitexact: macro m: pub fn planted(self)",
        ),
        ("m! { Planted, 1 }", "bitexact: m! { Planted, 1 }"),
        ("#[macro_export] macro_rules! planted { () => {}; }", "bitexact: macro planted!"),
    ] {
        let with = listed(&format!("pub mod m {{ pub struct S {{ pub field: u8 }} }} {source}"));
        let new: Vec<_> = with.difference(&before).collect();
        assert!(new.iter().any(|it| *it == line), "{source}: {new:?}");
    }
    for hidden in [
        "pub(crate) fn planted() {}",
        "fn planted() {}",
        "#[cfg(test)] mod tests { pub fn planted() {} }",
        "struct Private; impl Planted for Private {}",
        "struct S; impl Planted for S {}",
        "pub(crate) trait Planted {} impl Planted for m::S {}",
        "record! { struct Planted: 0 {} }",
    ] {
        assert_eq!(listed(&format!("pub mod m {{ pub struct S {{ pub field: u8 }} }} {hidden}")), before, "{hidden}");
    }
}

/// Returns the lines of a library that consists of this source.
fn listed(source: &str) -> BTreeSet<String> {
    let mut interface = Interface::default();
    interface.items("bitexact", None, &syn::parse_file(source).expect("it is Rust").items);
    interface.finish()
}

/// The public items found so far.
#[derive(Default)]
struct Interface {
    lines: BTreeSet<String>,
    /// The names of public types.
    types: BTreeSet<String>,
    /// Private types with their modules, and private traits without them.
    private: BTreeSet<String>,
    /// Implementations of traits: the module, the type, the trait, and the line.
    traits: Vec<[String; 4]>,
}

impl Interface {
    fn text(self) -> String {
        self.finish().into_iter().collect::<Vec<_>>().join("\n")
    }

    fn finish(mut self) -> BTreeSet<String> {
        let public = self.traits.into_iter().filter(|[module, name, of, _]| {
            let is_private = self.private.contains(&format!("{module}::{name}")) || self.private.contains(of);
            self.types.contains(name) && !is_private
        });
        self.lines.extend(public.map(|[.., line]| line));
        self.lines
    }

    /// Adds the items of a file.
    fn file(&mut self, module: &str, path: &Path) {
        let source = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let file = syn::parse_file(&source).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let is_root = matches!(path.file_name().and_then(|it| it.to_str()), Some("lib.rs" | "mod.rs"));
        let folder = if is_root { path.parent().expect("a folder").to_owned() } else { path.with_extension("") };
        self.items(module, Some(&folder), &file.items);
    }

    fn add(&mut self, path: &str, attributes: &[Attribute], item: impl AsRef<str>) {
        self.lines.insert(format!("{path}: {}{}", attributes_of(attributes), item.as_ref()));
    }

    /// Adds items; modules without a body are files of the folder.
    fn items(&mut self, module: &str, folder: Option<&PathBuf>, items: &[Item]) {
        for item in items {
            self.item(module, folder, item);
        }
    }

    fn item(&mut self, module: &str, folder: Option<&PathBuf>, item: &Item) {
        let path = |name: &dyn ToString| format!("{module}::{}", name.to_string());
        match item {
            Item::Mod(it) if !is_test(&it.attrs) => {
                let path = path(&it.ident);
                if is_public(&it.vis) {
                    self.add(&path, &it.attrs, "mod");
                }
                let folder = folder.map(|folder| folder.join(it.ident.to_string()));
                match (&it.content, &folder) {
                    (Some((_, items)), _) => self.items(&path, folder.as_ref(), items),
                    (None, Some(folder)) => {
                        let flat = folder.with_extension("rs");
                        self.file(&path, &if flat.exists() { flat } else { folder.join("mod.rs") });
                    }
                    (None, None) => {}
                }
            }
            Item::Use(it) if is_public(&it.vis) => {
                let mut leaves = Vec::new();
                leaves_of(&it.tree, String::new(), &mut leaves);
                leaves.iter().for_each(|leaf| self.add(module, &it.attrs, format!("use {leaf}")));
            }
            Item::Fn(it) if is_public(&it.vis) => self.add(&path(&it.sig.ident), &it.attrs, shown(&it.sig)),
            Item::Const(it) if is_public(&it.vis) => {
                self.add(&path(&it.ident), &it.attrs, format!("const {}: {}", it.ident, shown(&it.ty)));
            }
            Item::Static(it) if is_public(&it.vis) => {
                self.add(&path(&it.ident), &it.attrs, format!("static {}: {}", it.ident, shown(&it.ty)));
            }
            Item::Type(it) if is_public(&it.vis) => {
                let line = format!("type {}{} = {}", it.ident, shown(&it.generics), shown(&it.ty));
                self.add(&path(&it.ident), &it.attrs, line);
            }
            Item::Struct(it) if is_public(&it.vis) => {
                self.types.insert(it.ident.to_string());
                let line = format!("struct {}{}{}", it.ident, shown(&it.generics), fields_of(&it.fields, true));
                self.add(&path(&it.ident), &it.attrs, line);
            }
            Item::Enum(it) if is_public(&it.vis) => {
                self.types.insert(it.ident.to_string());
                let variant = |it: &syn::Variant| format!("{}{}", it.ident, fields_of(&it.fields, false));
                let variants: Vec<_> = it.variants.iter().map(variant).collect();
                let line = format!("enum {}{} {{ {} }}", it.ident, shown(&it.generics), variants.join(", "));
                self.add(&path(&it.ident), &it.attrs, line);
            }
            Item::Trait(it) if is_public(&it.vis) => {
                let path = path(&it.ident);
                let bounds =
                    if it.supertraits.is_empty() { String::new() } else { format!(": {}", shown(&it.supertraits)) };
                self.add(&path, &it.attrs, format!("trait {}{}{bounds}", it.ident, shown(&it.generics)));
                for member in &it.items {
                    match member {
                        TraitItem::Fn(it) => self.add(&path, &it.attrs, shown(&it.sig)),
                        TraitItem::Const(it) => {
                            self.add(&path, &it.attrs, format!("const {}: {}", it.ident, shown(&it.ty)))
                        }
                        TraitItem::Type(it) => {
                            self.add(&path, &it.attrs, format!("type {}: {}", it.ident, shown(&it.bounds)))
                        }
                        _ => {}
                    }
                }
            }
            Item::Struct(it) => drop(self.private.insert(path(&it.ident))),
            Item::Enum(it) => drop(self.private.insert(path(&it.ident))),
            Item::Trait(it) => drop(self.private.insert(it.ident.to_string())),
            Item::Impl(it) => self.implementation(module, it),
            Item::Macro(it) => self.macro_item(module, folder, it),
            _ => {}
        }
    }

    fn implementation(&mut self, module: &str, it: &syn::ItemImpl) {
        let generics = shown(&it.generics);
        let path = format!("{module}::{}", shown(&it.self_ty));
        if let Some((_, of, _)) = &it.trait_ {
            let name = shown(&it.self_ty);
            let name: String = name.chars().take_while(|it| it.is_alphanumeric() || *it == '_').collect();
            let of_name = of.segments.last().expect("a name").ident.to_string();
            self.traits.push([module.to_owned(), name, of_name, format!("{path}: impl{generics} {}", shown(of))]);
            return;
        }
        for member in &it.items {
            let (vis, attributes, line) = match member {
                ImplItem::Fn(it) => (&it.vis, &it.attrs, shown(&it.sig)),
                ImplItem::Const(it) => (&it.vis, &it.attrs, format!("const {}: {}", it.ident, shown(&it.ty))),
                _ => continue,
            };
            if is_public(vis) {
                self.add(&path, attributes, format!("impl{generics} {line}"));
            }
        }
    }

    /// Adds the declarations of a macro: for macros of the library by their own rules, for others all that they contain.
    fn macro_item(&mut self, module: &str, folder: Option<&PathBuf>, it: &syn::ItemMacro) {
        let name = it.mac.path.segments.last().expect("a name").ident.to_string();
        let tokens = it.mac.tokens.clone();
        match (name.as_str(), &it.ident) {
            ("macro_rules", Some(own)) if it.attrs.iter().any(|it| it.path().is_ident("macro_export")) => {
                self.add(module, &it.attrs, format!("macro {own}!"));
            }
            ("macro_rules", Some(own)) => {
                let mut found = Vec::new();
                declared_in(tokens, &mut found);
                found.iter().for_each(|line| self.add(module, &[], format!("macro {own}: {line}")));
            }
            ("lay", _) => match syn::parse2::<syn::File>(tokens) {
                Ok(file) => self.items(module, folder, &file.items),
                Err(error) => panic!("{module}: lay!: {error}"),
            },
            ("record" | "flags" | "names", _) => {
                let Some((head, body)) = declaration(tokens) else { return };
                let own: String = head.chars().take_while(|it| it.is_alphanumeric() || *it == '_').collect();
                self.types.insert(own.clone());
                let size = |it: char| it.is_ascii_digit() || it == ' ' || it == ':' || it == '_';
                let head = if name == "record" { head.trim_end_matches(size) } else { &head };
                self.add(&format!("{module}::{own}"), &[], format!("{name} {head} {{ {body} }}"));
            }
            _ => {
                let tokens = tidy(&without_attributes(tokens).to_string());
                self.add(module, &[], format!("{name}! {{ {tokens} }}"));
            }
        }
    }
}

/// Returns the header of a declaration like `pub struct Name: 4 { … }`, and its members by name and type, or `None` if it is private.
fn declaration(tokens: TokenStream) -> Option<(String, String)> {
    let mut tokens = without_attributes(tokens).into_iter();
    tokens.next().filter(|it| it.to_string() == "pub")?;
    tokens.next().filter(|it| it.to_string() == "struct")?;
    let all: Vec<TokenTree> = tokens.collect();
    let (body, head) = all.split_last()?;
    let TokenTree::Group(body) = body else { return None };
    let head = tidy(&head.iter().cloned().collect::<TokenStream>().to_string());
    let (mut members, mut member, mut is_value) = (Vec::new(), TokenStream::new(), false);
    for token in body.stream() {
        match token.to_string().as_str() {
            "," | ";" => {
                members.push(tidy(&std::mem::take(&mut member).to_string()));
                is_value = false;
            }
            // The value or the rule of a member is not part of the interface.
            "=" => is_value = true,
            _ if is_value => {}
            _ => member.extend([token]),
        }
    }
    members.push(tidy(&member.to_string()));
    members.retain(|member| !member.is_empty());
    Some((head, members.join(", ")))
}

/// Collects the public items in the rules of a macro.
fn declared_in(tokens: TokenStream, found: &mut Vec<String>) {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Group(group) => declared_in(group.stream(), found),
            TokenTree::Ident(word) if word == "pub" => {
                let is_limited = matches!(tokens.peek(), Some(TokenTree::Group(_)));
                let mut item = TokenStream::new();
                while let Some(token) = tokens.next_if(|token| match token {
                    TokenTree::Group(group) => group.delimiter() != proc_macro2::Delimiter::Brace,
                    TokenTree::Punct(punct) => punct.as_char() != ';',
                    _ => true,
                }) {
                    item.extend([token]);
                }
                if !is_limited {
                    found.push(format!("pub {}", tidy(&item.to_string())));
                }
            }
            _ => {}
        }
    }
}

/// Removes attributes and comments.
fn without_attributes(tokens: TokenStream) -> TokenStream {
    let mut tokens = tokens.into_iter().peekable();
    let mut rest = TokenStream::new();
    while let Some(token) = tokens.next() {
        let is_attribute = token.to_string() == "#" && matches!(tokens.peek(), Some(TokenTree::Group(_)));
        match token {
            _ if is_attribute => drop(tokens.next()),
            TokenTree::Group(group) => {
                let mut own = proc_macro2::Group::new(group.delimiter(), without_attributes(group.stream()));
                own.set_span(group.span());
                rest.extend([TokenTree::Group(own)]);
            }
            token => rest.extend([token]),
        }
    }
    rest
}

fn is_public(vis: &Visibility) -> bool {
    matches!(vis, Visibility::Public(_))
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|it| it.path().is_ident("cfg") && shown(&it.meta).contains("test"))
}

/// Returns the attributes that users see: `derive`, `non_exhaustive`, `doc(hidden)`, conditions.
fn attributes_of(attributes: &[Attribute]) -> String {
    let of_interest = |it: &&Attribute| match &it.meta {
        Meta::Path(path) => path.is_ident("non_exhaustive"),
        Meta::List(list) => list.path.is_ident("derive") || list.path.is_ident("doc") || list.path.is_ident("cfg"),
        Meta::NameValue(_) => false,
    };
    attributes.iter().filter(of_interest).map(|it| format!("{} ", shown(it))).collect()
}

/// Returns the fields of a struct, of which only the public ones are shown, or of a variant.
fn fields_of(fields: &Fields, only_public: bool) -> String {
    let seen = |it: &&syn::Field| !only_public || is_public(&it.vis);
    let mut shown_fields: Vec<String> = fields
        .iter()
        .filter(seen)
        .map(|it| {
            let name = it.ident.as_ref().map_or(String::new(), |name| format!("{name}: "));
            format!("{name}{}", shown(&it.ty))
        })
        .collect();
    if shown_fields.len() < fields.len() {
        shown_fields.push("..".to_owned());
    }
    match fields {
        Fields::Named(_) => format!(" {{ {} }}", shown_fields.join(", ")),
        Fields::Unnamed(_) => format!("({})", shown_fields.join(", ")),
        Fields::Unit => String::new(),
    }
}

fn leaves_of(tree: &UseTree, before: String, leaves: &mut Vec<String>) {
    match tree {
        UseTree::Path(path) => leaves_of(&path.tree, format!("{before}{}::", path.ident), leaves),
        UseTree::Group(group) => group.items.iter().for_each(|it| leaves_of(it, before.clone(), leaves)),
        UseTree::Name(name) => leaves.push(format!("{before}{}", name.ident)),
        UseTree::Rename(it) => leaves.push(format!("{before}{} as {}", it.ident, it.rename)),
        UseTree::Glob(_) => leaves.push(format!("{before}*")),
    }
}

fn shown(of: &impl ToTokens) -> String {
    tidy(&of.to_token_stream().to_string())
}

/// Removes the spaces between tokens that people do not write.
fn tidy(tokens: &str) -> String {
    let mut text = tokens.split_whitespace().collect::<Vec<_>>().join(" ");
    for (from, to) in [
        (" :: ", "::"),
        (":: ", "::"),
        (" ::", "::"),
        (" : ", ": "),
        (" , ", ", "),
        (" ,", ","),
        (" ;", ";"),
        ("< ", "<"),
        (" <", "<"),
        (" >", ">"),
        ("& ", "&"),
        ("( ", "("),
        (" )", ")"),
        (" (", "("),
        ("[ ", "["),
        (" ]", "]"),
        ("# [", "#["),
        ("' ", "'"),
        ("? ", "?"),
        (",(", ", ("),
        ("=(", "= ("),
        ("->", " -> "),
        ("=>", " => "),
        (" ! (", "!("),
        (" !", "!"),
        ("$ ", "$"),
        (" . .", ".."),
    ] {
        text = text.replace(from, to);
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace(",)", ")").replace("dyn::", "dyn ::")
}
