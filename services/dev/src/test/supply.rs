//! Supply chain rules: pre-release crates are listed with a reason, and npm packages run no scripts.

use std::collections::BTreeSet;

/// Crates with a pre-release version, each with the reason. An unlisted crate fails, and so does an obsolete
/// entry.
pub(super) const PRERELEASES: [(&str, &str); 2] = [
    ("kbkdf", "crypto-glue 0.2, of webauthn-rs 0.6: derives keys of attestation, which is not asked for"),
    (
        "rsa",
        "crypto-glue 0.2, of webauthn-rs 0.6: only verifies signatures; no released version has the traits",
    ),
];

/// Returns violations of the pre-release rule in a Cargo.lock.
pub(super) fn prereleases(lock: &str, listed: &[(&str, &str)]) -> Vec<String> {
    let mut lines = lock.lines();
    let mut found = BTreeSet::new();
    let mut wrong = Vec::new();
    while let Some(line) = lines.next() {
        let Some(name) = value(line, "name") else { continue };
        let Some(version) = lines.next().and_then(|line| value(line, "version")) else { continue };
        let is_prerelease = version.split('+').next().is_some_and(|version| version.contains('-'));
        if is_prerelease && !listed.iter().any(|(listed, _)| *listed == name) {
            wrong.push(format!(
                "{name} {version} is a pre-release that services/dev/src/test/supply.rs does not list"
            ));
        }
        if is_prerelease {
            found.insert(name.to_owned());
        }
    }
    let unused = listed.iter().filter(|(name, _)| !found.contains(*name));
    wrong.extend(
        unused.map(|(name, _)| format!("{name} is listed as a pre-release but is not one: remove it")),
    );
    wrong
}

/// Returns the text of a line like `name = "x"`.
fn value<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    line.strip_prefix(key)?.strip_prefix(" = \"")?.strip_suffix('"')
}

#[cfg(test)]
mod tests {
    use std::fs;

    use runner::places;

    use super::*;

    const LOCK: &str = "[[package]]\nname = \"rsa\"\nversion = \"0.10.0-rc.19\"\n\n[[package]]\nname = \"zstd-sys\"\nversion = \"2.0.1+zstd.1.5-beta\"\n";

    #[test]
    fn a_prerelease_must_be_listed_and_the_list_has_no_others() {
        assert_eq!(prereleases(LOCK, &[("rsa", "why")]), [""; 0]);
        assert!(prereleases(LOCK, &[])[0].starts_with("rsa 0.10.0-rc.19 is a pre-release"));
        assert!(prereleases(LOCK, &[("rsa", "why"), ("kbkdf", "why")])[0].starts_with("kbkdf is listed"));
    }

    #[test]
    fn npm_packages_run_no_scripts_wherever_they_are_installed() {
        let read = |path: &str| fs::read_to_string(places::repository().join(path)).expect("read the file");
        for npmrc in ["web/.npmrc", "services/dev/tools/.npmrc"] {
            assert!(read(npmrc).lines().any(|line| line == "ignore-scripts=true"), "{npmrc}");
        }
        for file in ["services/Containerfile", "Tiltfile", "services/runner/src/npm.rs"] {
            let text = read(file);
            let installs: Vec<&str> =
                text.lines().filter(|line| line.contains("npm ci") || line.contains("\"ci\"")).collect();
            assert!(!installs.is_empty(), "{file} installs");
            for line in installs {
                assert!(line.contains("--ignore-scripts"), "{file}: {line}");
            }
        }
    }

    #[test]
    fn no_npm_package_needs_a_script_of_its_own_but_those_known() {
        // Scripts that are not needed: `npm::link_libraries` or a platform's package does their work, or it
        // is not wanted.
        let known = ["@bufbuild/buf", "@embedded-postgres/", "nx"];
        for lock in ["web/package-lock.json", "services/dev/tools/package-lock.json"] {
            let text = fs::read_to_string(places::repository().join(lock)).expect("read the file");
            let lock: serde_json::Value = serde_json::from_str(&text).expect("parse JSON");
            for (path, package) in lock["packages"].as_object().expect("the file has packages") {
                let name = path.rsplit("node_modules/").next().unwrap_or(path);
                let is_known = known.iter().any(|known| name.starts_with(known));
                assert!(package["hasInstallScript"] != true || is_known, "{path} has an install script");
            }
        }
    }
}
