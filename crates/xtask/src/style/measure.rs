//! The sizes in a source tree. Tests may be long; their comments may not be wide.

use super::{COMMENT_COLUMNS, Item, Limit, Sizes, read_text};
use anyhow::{Context, Result, anyhow};
use proc_macro2::Span;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// Everything over its limit in the Rust files below a folder.
pub fn tree(root: &Path) -> Result<Sizes> {
    let mut files = Vec::new();
    find_files(root, &mut files)?;
    let mut tests = BTreeSet::new();
    let mut sources = Vec::new();
    for file in files {
        let path = file.strip_prefix(root)?.to_path_buf();
        let source = Source::parse(path, read_text(&file)?)?;
        tests.extend(source.test_files());
        sources.push(source);
    }
    let mut sizes = Sizes::new();
    for source in &sources {
        source.measure_comments(&mut sizes);
        if !source.path.ancestors().any(|path| path.ends_with("tests") || tests.contains(path)) {
            source.measure_code(&mut sizes);
        }
    }
    Ok(sizes)
}

/// All lines of the Rust files below a folder.
pub fn lines_below(folder: &Path) -> Result<usize> {
    let mut files = Vec::new();
    find_files(folder, &mut files)?;
    files.iter().map(|file| Ok(read_text(file)?.lines().count())).sum()
}

/// The Rust files below a folder, build output and hidden folders left out.
fn find_files(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let entries = folder.read_dir().with_context(|| folder.display().to_string())?;
    for entry in entries {
        let entry = entry?;
        let (path, name) = (entry.path(), entry.file_name());
        if entry.file_type()?.is_dir() {
            if name != "target" && !name.to_string_lossy().starts_with('.') {
                find_files(&path, files)?;
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    Ok(())
}

/// A file and what its syntax tree says about it.
struct Source {
    path: PathBuf,
    text: String,
    found: Found,
}

impl Source {
    fn parse(path: PathBuf, text: String) -> Result<Source> {
        let file = syn::parse_file(&text).map_err(|error| {
            anyhow!("{}:{}: {error}", path.display(), error.span().start().line)
        })?;
        let mut found = Found::default();
        found.visit_file(&file);
        Ok(Source { path, text, found })
    }

    /// The paths, as `FOLDER/NAME.rs` and `FOLDER/NAME`, of the modules that are for tests alone.
    fn test_files(&self) -> Vec<PathBuf> {
        let own = self.path.file_stem().unwrap_or_default();
        let is_root = ["lib", "main", "mod"].iter().any(|name| own == *name);
        let folder =
            if is_root { self.path.with_file_name("") } else { self.path.with_extension("") };
        let paths = |name| [folder.join(name), folder.join(name).with_extension("rs")];
        self.found.test_modules.iter().flat_map(paths).collect()
    }

    fn measure_comments(&self, sizes: &mut Sizes) {
        let is_wide = |line: &&str| {
            line.trim_start().starts_with("//") && line.chars().count() > COMMENT_COLUMNS
        };
        self.note(Limit::Comments, "", self.text.lines().filter(is_wide).count(), sizes);
    }

    fn measure_code(&self, sizes: &mut Sizes) {
        let lines: Vec<&str> = self.text.lines().collect();
        let tests: usize = self.found.tests.iter().map(|range| range.clone().count()).sum();
        let is_comment = |line: &&&str| line.starts_with("//");
        if !lines.iter().take_while(is_comment).any(|line| is_reason(line)) {
            self.note(Limit::File, "", lines.len() - tests, sizes);
        }
        for function in &self.found.functions {
            if !has_reason(&lines, function) {
                self.note(Limit::Function, &function.name, function.lines.clone().count(), sizes);
            }
        }
        for (name, fields) in &self.found.structs {
            self.note(Limit::Struct, name, *fields, sizes);
        }
    }

    /// Keeps a size that is over its limit; of two items of one name the larger.
    fn note(&self, limit: Limit, name: &str, size: usize, sizes: &mut Sizes) {
        if size > limit.most() {
            let path = self.path.display().to_string().replace('\\', "/");
            let known = sizes.entry(Item { limit, path, name: name.into() }).or_default();
            *known = size.max(*known);
        }
    }
}

/// Does the line say why what follows is long?
fn is_reason(line: &str) -> bool {
    line.trim_start().strip_prefix("// Long: ").is_some_and(|reason| !reason.trim().is_empty())
}

/// Does a comment line among those above a function, its attributes included, give a reason?
fn has_reason(lines: &[&str], function: &Function) -> bool {
    let above = lines[..function.first - 1].iter().rev();
    let comments = above.take_while(|line| line.trim_start().starts_with("//"));
    let attributes = &lines[function.first - 1..function.lines.start() - 1];
    comments.chain(attributes).any(|line| is_reason(line))
}

struct Function {
    name: String,
    /// The line where its attributes and documentation begin, or its own; from 1.
    first: usize,
    /// The lines from its signature to its closing brace.
    lines: RangeInclusive<usize>,
}

/// What the syntax tree of a file holds outside of its tests.
#[derive(Default)]
struct Found {
    functions: Vec<Function>,
    /// Names and numbers of fields.
    structs: Vec<(String, usize)>,
    /// The lines of items that are for tests alone.
    tests: Vec<RangeInclusive<usize>>,
    /// Names of the modules in other files that are for tests alone.
    test_modules: Vec<String>,
    /// The type whose methods are visited.
    owner: Option<String>,
}

impl Found {
    fn note_function(&mut self, item: Span, signature: &syn::Signature, body: &syn::Block) {
        let name = signature.ident.to_string();
        let name = self.owner.as_ref().map_or(name.clone(), |owner| format!("{owner}::{name}"));
        let lines = signature.span().start().line..=body.brace_token.span.close().end().line;
        self.functions.push(Function { name, first: item.start().line, lines });
    }

    /// Visits what belongs to a type or trait.
    fn within(&mut self, owner: String, visit: impl FnOnce(&mut Found)) {
        let outer = self.owner.replace(owner);
        visit(self);
        self.owner = outer;
    }
}

impl<'ast> Visit<'ast> for Found {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        if !is_test(attributes(item)) {
            return visit::visit_item(self, item);
        }
        self.tests.push(item.span().start().line..=item.span().end().line);
        if let syn::Item::Mod(syn::ItemMod { ident, content: None, .. }) = item {
            self.test_modules.push(ident.to_string());
        }
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let owner = match &*item.self_ty {
            syn::Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
            _ => None,
        };
        let owner = owner.unwrap_or_else(|| "impl".into());
        self.within(owner, |found| visit::visit_item_impl(found, item));
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.within(item.ident.to_string(), |found| visit::visit_item_trait(found, item));
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.note_function(item.span(), &item.sig, &item.block);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.note_function(item.span(), &item.sig, &item.block);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(body) = &item.default {
            self.note_function(item.span(), &item.sig, body);
        }
        visit::visit_trait_item_fn(self, item);
    }

    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.structs.push((item.ident.to_string(), item.fields.len()));
    }
}

/// The attributes of the items that tests are made of.
fn attributes(item: &syn::Item) -> &[syn::Attribute] {
    match item {
        syn::Item::Fn(item) => &item.attrs,
        syn::Item::Impl(item) => &item.attrs,
        syn::Item::Mod(item) => &item.attrs,
        syn::Item::Struct(item) => &item.attrs,
        syn::Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// Is it `#[cfg(test)]` or `#[test]`?
fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        syn::Meta::Path(path) => path.is_ident("test"),
        syn::Meta::List(list) => list.path.is_ident("cfg") && list.tokens.to_string() == "test",
        syn::Meta::NameValue(_) => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(path: &str, text: &str) -> Source {
        Source::parse(path.into(), text.into()).unwrap()
    }

    /// What is over its limit in one file, as lines of the list of exceptions.
    fn over(text: &str) -> Vec<String> {
        let mut sizes = Sizes::new();
        source("a.rs", text).measure_comments(&mut sizes);
        source("a.rs", text).measure_code(&mut sizes);
        sizes.iter().map(|(item, size)| format!("{item} {size}")).collect()
    }

    /// A function of this many lines, from `fn` to its brace.
    fn function(lines: usize) -> String {
        format!("fn long() {{\n{}}}\n", "    work();\n".repeat(lines - 2))
    }

    const NONE: [&str; 0] = [];

    #[test]
    fn functions_are_measured_without_their_documentation() {
        let documented = |lines| format!("/// One.\n/// Two.\n#[inline]\n{}", function(lines));
        assert_eq!(over(&documented(60)), NONE);
        assert_eq!(over(&documented(61)), ["function a.rs long 61"]);
    }

    #[test]
    fn methods_and_functions_within_functions_are_measured() {
        let text = format!("impl<T> Toy<T> {{\n{}}}\n", function(61));
        assert_eq!(over(&text), ["function a.rs Toy::long 61"]);
        let text = format!("trait Game {{\n{}}}\n", function(61));
        assert_eq!(over(&text), ["function a.rs Game::long 61"]);
        let text = format!("fn outer() {{\n{}}}\n", function(61));
        assert_eq!(over(&text), ["function a.rs long 61", "function a.rs outer 63"]);
    }

    #[test]
    fn a_reason_above_excuses_a_function_and_an_empty_one_does_not() {
        let long = function(61);
        assert_eq!(over(&format!("// Long: one table.\n{long}")), NONE);
        assert_eq!(over(&format!("// Long: one table.\n/// What.\n#[inline]\n{long}")), NONE);
        assert_eq!(over(&format!("/// What.\n// Long: one table.\n{long}")), NONE);
        assert_eq!(over(&format!("// Long: \n{long}")).len(), 1);
        assert_eq!(over(&format!("// Long: another\nfn short() {{}}\n{long}")).len(), 1);
    }

    #[test]
    fn files_are_measured_without_their_unit_tests() {
        let code = "fn f() {}\n".repeat(499);
        let tests = "#[cfg(test)]\nmod tests {\n    fn f() {}\n}\n";
        assert_eq!(over(&format!("{code}\n{tests}")), NONE);
        assert_eq!(over(&format!("{code}\n\n{tests}")), ["file a.rs 501"]);
        assert_eq!(over(&format!("// Long: a list.\n{code}\n\n")), NONE);
    }

    #[test]
    fn tests_may_be_long() {
        let long = function(61);
        assert_eq!(over(&format!("#[test]\n{long}")), NONE);
        assert_eq!(over(&format!("#[cfg(test)]\nmod tests {{\n{long}}}\n")), NONE);
        assert_eq!(over(&format!("#[cfg(unix)]\nmod unix {{\n{long}}}\n")).len(), 1);
    }

    #[test]
    fn structs_and_wide_comments_are_counted() {
        let fields = |count| (0..count).map(|n| format!("    f{n}: u8,\n")).collect::<String>();
        assert_eq!(over(&format!("struct Toy {{\n{}}}\n", fields(20))), NONE);
        assert_eq!(over(&format!("struct Toy {{\n{}}}\n", fields(21))), ["struct a.rs Toy 21"]);
        let comment = |columns: usize| format!("// {}\n", "あ".repeat(columns - 3));
        assert_eq!(over(&comment(100)), NONE);
        assert_eq!(over(&comment(101).repeat(2)), ["comments a.rs 2"]);
    }

    #[test]
    fn test_modules_in_other_files_are_known_by_their_path() {
        let text = "#[cfg(test)]\nmod tests;\nmod other;\n";
        let paths = ["src/toy/tests", "src/toy/tests.rs"].map(PathBuf::from);
        assert_eq!(source("src/toy.rs", text).test_files(), paths);
        assert_eq!(source("src/toy/mod.rs", text).test_files(), paths);
    }
}
