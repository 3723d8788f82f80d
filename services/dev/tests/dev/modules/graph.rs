//! The graph of imports between sibling modules of a crate.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr as _;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

type Failure = Box<dyn std::error::Error>;

/// Path of a module in its crate; empty for the crate root.
type Module = Vec<String>;

/// The first import from a module, or a descendant of it, to a sibling or a descendant of that.
pub(crate) struct Import {
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) file: PathBuf,
    pub(crate) line: usize,
}

/// The imports between sibling modules of a crate.
pub(crate) struct Graph(BTreeMap<(Module, Module), Import>);

impl Graph {
    /// Reads the crate with its sources in `folder`.
    pub(crate) fn read_crate(folder: &Path) -> Result<Self, Failure> {
        let mut files = BTreeMap::new();
        let mut folders = vec![folder.to_owned()];
        while let Some(next) = folders.pop() {
            for entry in fs::read_dir(next)? {
                let path = entry?.path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "rs") {
                    files.insert(path.strip_prefix(folder)?.to_owned(), fs::read_to_string(&path)?);
                }
            }
        }
        Self::new(files)
    }

    /// Parses `files`: texts by their path in the source folder. Modules named `tests` are omitted.
    pub(crate) fn new(files: BTreeMap<PathBuf, String>) -> Result<Self, Failure> {
        let files = files.into_iter().map(|(file, text)| (module_of_file(&file), file, text));
        let files: Vec<_> =
            files.filter(|(module, ..)| module.last().is_none_or(|name| name != "tests")).collect();
        let modules = files.iter().map(|(module, ..)| module.clone()).collect();
        let mut imports = BTreeMap::new();
        for (module, file, text) in &files {
            let tokens =
                TokenStream::from_str(text).map_err(|error| format!("{}: {error}", file.display()))?;
            let mut paths = Vec::new();
            find_paths(tokens, module, &mut paths);
            for (path, line) in paths {
                let Some((from, to)) = siblings(module, target(&path, &modules)) else { continue };
                let (from_name, to_name) = (from.join("::"), to.join("::"));
                let import = || Import { from: from_name, to: to_name, file: file.clone(), line };
                imports.entry((from, to)).or_insert_with(import);
            }
        }
        Ok(Self(imports))
    }

    /// Returns the shortest cycle through each set of modules that import each other.
    pub(crate) fn circles(&self) -> Vec<Vec<&Import>> {
        let mut known = BTreeSet::new();
        let mut circles = Vec::new();
        for (from, _) in self.0.keys() {
            if known.contains(from) {
                continue;
            }
            let Some(circle) = self.circle_through(from) else { continue };
            known.extend(circle.iter().map(|(from, _)| from));
            circles.push(circle.iter().map(|step| &self.0[*step]).collect());
        }
        circles
    }

    /// Returns the shortest cycle that begins at `start`, if there is one.
    fn circle_through(&self, start: &Module) -> Option<Vec<&(Module, Module)>> {
        let mut reached: BTreeMap<&Module, &(Module, Module)> = BTreeMap::new();
        let mut next = VecDeque::from([start]);
        while let Some(module) = next.pop_front() {
            for step in self.0.keys().filter(|(from, _)| from == module) {
                if reached.contains_key(&step.1) {
                    continue;
                }
                reached.insert(&step.1, step);
                next.push_back(&step.1);
            }
        }
        let mut circle = vec![*reached.get(start)?];
        while circle[0].0 != *start {
            circle.insert(0, reached[&circle[0].0]);
        }
        Some(circle)
    }
}

/// Converts a file to its module: `store/table.rs` is `store::table`.
fn module_of_file(file: &Path) -> Module {
    let names = file.with_extension("");
    let mut module: Module = names.iter().map(|name| name.to_string_lossy().into_owned()).collect();
    if let [.., last] = module.as_slice()
        && ["lib", "main", "mod"].contains(&last.as_str())
    {
        module.pop();
    }
    module
}

/// Returns the module that `path` names or belongs to.
fn target<'path>(path: &'path [String], modules: &BTreeSet<Module>) -> &'path [String] {
    let mut length = path.len();
    while !modules.contains(&path[..length]) && length > 0 {
        length -= 1;
    }
    &path[..length]
}

/// Returns the ancestors of two modules that are siblings; `None` if one module contains the other.
fn siblings(from: &[String], to: &[String]) -> Option<(Module, Module)> {
    let common = from.iter().zip(to).take_while(|(from, to)| from == to).count();
    let differ = from.len() > common && to.len() > common;
    differ.then(|| (from[..=common].to_owned(), to[..=common].to_owned()))
}

/// Collects every path that begins with `crate`, `self` or `super`, relative to the crate root, with its
/// line.
fn find_paths(tokens: TokenStream, module: &Module, paths: &mut Vec<(Module, usize)>) {
    let mut tokens: VecDeque<TokenTree> = tokens.into_iter().collect();
    let mut is_test = false;
    while let Some(token) = tokens.pop_front() {
        match token {
            TokenTree::Punct(mark) if mark.as_char() == '#' => {
                if let Some(TokenTree::Group(attribute)) = tokens.front() {
                    is_test |= attribute.stream().to_string().replace(' ', "") == "cfg(test)";
                }
            }
            TokenTree::Ident(word) if word == "mod" => {
                let name = tokens.pop_front();
                if let (Some(TokenTree::Ident(name)), Some(TokenTree::Group(body))) = (name, tokens.front()) {
                    let mut inner = module.clone();
                    inner.push(name.to_string());
                    if !is_test {
                        find_paths(body.stream(), &inner, paths);
                    }
                    tokens.pop_front();
                }
                is_test = false;
            }
            TokenTree::Ident(word) => {
                let line = word.span().start().line;
                let start = match word.to_string().as_str() {
                    "crate" => Module::new(),
                    "self" => module.clone(),
                    "super" => module[..module.len().saturating_sub(1)].to_owned(),
                    _ => continue,
                };
                follow_path(start, line, &mut tokens, paths);
            }
            TokenTree::Group(group) => find_paths(group.stream(), module, paths),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// Consumes `::name`, `::super` and `::{…}` at the front of `tokens`, as long as they continue `path`.
fn follow_path(
    mut path: Module,
    line: usize,
    tokens: &mut VecDeque<TokenTree>,
    paths: &mut Vec<(Module, usize)>,
) {
    while let (Some(TokenTree::Punct(first)), Some(TokenTree::Punct(second)), Some(next)) =
        (tokens.front(), tokens.get(1), tokens.get(2))
        && (first.as_char(), second.as_char()) == (':', ':')
    {
        match next.clone() {
            TokenTree::Ident(name) => add_name(&mut path, &name.to_string()),
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                follow_branches(&path, group.stream(), paths);
                tokens.drain(..3);
                return;
            }
            _ => break,
        }
        tokens.drain(..3);
    }
    paths.push((path, line));
}

/// Follows each of `{a::b, c}` from `path`.
fn follow_branches(path: &Module, branches: TokenStream, paths: &mut Vec<(Module, usize)>) {
    let mut tokens: VecDeque<TokenTree> = branches.into_iter().collect();
    while let Some(token) = tokens.pop_front() {
        if let TokenTree::Ident(name) = token
            && name != "as"
        {
            let mut branch = path.clone();
            add_name(&mut branch, &name.to_string());
            follow_path(branch, name.span().start().line, &mut tokens, paths);
        }
    }
}

fn add_name(path: &mut Module, name: &str) {
    match name {
        "super" => {
            path.pop();
        }
        "self" => {}
        name => path.push(name.to_owned()),
    }
}
