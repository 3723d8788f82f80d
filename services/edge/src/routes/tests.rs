//! Which routes hash, as the sources of auth and of the edge say, against what the routes declare.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use regex::Regex;

use super::{Kind, kinds};

/// The text of a file, or of all `.rs` files in a folder and below.
fn sources(path: &Path) -> String {
    if path.is_file() {
        return fs::read_to_string(path).unwrap();
    }
    let mut paths: Vec<_> = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
        .iter()
        .filter(|path| path.is_dir() || path.extension().is_some_and(|end| end == "rs"))
        .map(|path| sources(path))
        .collect()
}

/// The bodies of the functions of each name.
fn functions(source: &str) -> BTreeMap<&str, String> {
    let mut functions = BTreeMap::<_, String>::new();
    let starts: Vec<_> = Regex::new(r"\bfn (\w+)").unwrap().captures_iter(source).collect();
    for (start, next) in starts.iter().zip(starts.iter().skip(1).map(Some).chain([None])) {
        let name = start.get(1).unwrap();
        let end = next.map_or(source.len(), |next| next.get(0).unwrap().start());
        functions.entry(name.as_str()).or_default().push_str(&source[name.end()..end]);
    }
    functions
}

/// The methods whose body has one of `ends`, or a call of such a method by `self`.
fn leading_to<'a>(functions: &BTreeMap<&'a str, String>, ends: &[&str]) -> BTreeSet<&'a str> {
    let mut found: BTreeSet<&str> = BTreeSet::new();
    loop {
        let calls = ends.iter().map(|end| (*end).to_owned());
        let calls: Vec<_> = calls
            .chain(found.iter().map(|name| format!(r"\bself\s*\.{name}\(")))
            .map(|call| Regex::new(&call).unwrap())
            .collect();
        let more = functions.iter().filter(|(_, body)| calls.iter().any(|call| call.is_match(body)));
        let more: BTreeSet<_> = more.map(|(name, _)| *name).collect();
        if more.len() == found.len() {
            return found;
        }
        found = more;
    }
}

/// `LogIn` as `log_in`.
fn snake_case(name: &str) -> String {
    Regex::new(r"(.)([A-Z])").unwrap().replace_all(name, "${1}_$2").to_lowercase()
}

#[test]
fn every_call_that_hashes_is_reached_only_through_routes_that_are_declared_so() {
    let services = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let auth = sources(&services.join("auth/src/rpc.rs")) + &sources(&services.join("auth/src/rpc"));
    let functions = functions(&auth);
    let hashing = leading_to(&functions, &[r"\.passwords\s*\.(matches|choose)\("]);
    let protos = services.join("../proto/auth/v1");
    let protos = fs::read_dir(protos).unwrap().map(|file| fs::read_to_string(file.unwrap().path()).unwrap());
    let protos: String = protos.collect();
    let rpcs = Regex::new(r"\brpc (\w+)\(").unwrap();
    let rpcs = rpcs.captures_iter(&protos).map(|rpc| snake_case(&rpc[1]));
    let rpcs: BTreeSet<_> = rpcs.filter(|rpc| hashing.contains(rpc.as_str())).collect();
    for known in ["login", "begin_passkey", "complete_sign_up", "export_account"] {
        assert!(rpcs.contains(known), "{known} hashes: {rpcs:?}");
    }

    let edge =
        sources(&services.join("edge/src/accounts.rs")) + &sources(&services.join("edge/src/accounts"));
    let route = Regex::new(r#"(?s)\A\s*(\w+),\s*path = "([^"]+)""#).unwrap();
    let mut through = BTreeSet::new();
    for handler in edge.split("#[utoipa::path(").skip(1) {
        let route = route.captures(handler).unwrap();
        let calls = |rpc: &String| Regex::new(&format!(r"\.{rpc}\(")).unwrap().is_match(handler);
        if rpcs.iter().any(calls) {
            through.insert((route[1].to_uppercase(), route[2].to_owned()));
        }
    }
    let kinds = kinds();
    let declared = kinds.iter().flat_map(|(path, kinds)| {
        let hashing = kinds.iter().filter(|(_, kind)| [Kind::SignIn, Kind::PasswordCheck].contains(kind));
        hashing.map(move |(method, _)| (method.to_string(), path.clone()))
    });
    assert_eq!(through, declared.collect());
}

#[test]
fn whether_a_password_is_hashed_for_a_stranger_is_what_the_access_of_the_route_says() {
    let kinds = kinds();
    let of = |path: &str| kinds[path].iter().map(|(_, kind)| *kind).collect::<Vec<_>>();
    for path in
        ["login/", "login/change/", "signup/", "signup/complete/", "password/reset/confirm/", "login/reopen/"]
    {
        assert_eq!(of(&format!("/api/accounts/{path}")), [Kind::SignIn], "{path}");
    }
    for path in ["password/", "email/", "export/", "close/", "passkeys/options/", "passkeys/{id}/keep/"] {
        assert_eq!(of(&format!("/api/accounts/{path}")), [Kind::PasswordCheck], "{path}");
    }
}

#[test]
fn reads_without_a_token_are_public_but_for_files_with_a_ticket() {
    let kinds = kinds();
    let is_public = |path: &str| kinds[path].iter().any(|(_, kind)| *kind == Kind::Public);
    for path in ["/api/lms/course/", "/api/search/", "/api/media/open/{*path}", "/api/desk/notice/{id}/"] {
        assert!(is_public(path), "{path}");
    }
    for path in ["/api/lms/inventory/", "/api/media/{ticket}/{*path}", "/api/accounts/login/"] {
        assert!(!is_public(path), "{path}");
    }
}
