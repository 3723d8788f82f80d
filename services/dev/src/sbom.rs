//! The bill of materials (`CycloneDX`) of each image: the crates of each binary, and the packages of the
//! site's files. The base image has its own, by its publisher.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tokio::process::Command;
use tooling::command::run_or_fail;
use tooling::failure::{Doing as _, Outcome, fail};
use tooling::steps::Steps;

use runner::npm::npm;
use runner::state::State;
use runner::{places, tool};

/// Version of cargo-cyclonedx, which lists crates.
const VERSION: &str = "0.5.9";
/// The workspace: its manifest and lock file, and the folders of its members.
pub(crate) const WORKSPACE: [&str; 5] = ["Cargo.toml", "Cargo.lock", "proto", "services", "k8s/check"];
/// Files that cargo needs to resolve the dependencies of a crate.
const MANIFESTS: [&str; 5] = ["Cargo.toml", "Cargo.lock", "lib.rs", "main.rs", "build.rs"];

/// Path of the list of `name`.
pub(crate) fn path(state: &State, name: &str) -> PathBuf {
    state.path("images").join(format!("{name}.cdx.json"))
}

/// Lists the crates in the binary of each of `services`, for the commit at `epoch`.
pub(crate) async fn crates(state: &State, steps: &Steps, services: &[&str], epoch: i64) -> Outcome {
    let cyclonedx = tool::installed(state, steps, "cargo-cyclonedx", VERSION).await?;
    // cargo-cyclonedx writes beside the manifests, so it gets a copy of them.
    let copy = state.path("images").join("manifests");
    if copy.exists() {
        fs::remove_dir_all(&copy)?;
    }
    for name in WORKSPACE {
        copy_manifests(&places::repository().join(name), &copy.join(name))?;
    }
    let target = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    let mut command = Command::new(cyclonedx);
    command
        .args(["cyclonedx", "--quiet", "--format", "json", "--spec-version", "1.5", "--describe", "binaries"])
        .args(["--no-build-deps", "--target", &target])
        .current_dir(&copy)
        .env("SOURCE_DATE_EPOCH", epoch.to_string());
    run_or_fail(&mut command, &state.log("cargo-cyclonedx")).await?;
    let lock = fs::read_to_string(copy.join("Cargo.lock"))?;
    for service in services {
        let made = copy.join("services").join(service).join(format!("{service}_bin.cdx.json"));
        let text = fs::read_to_string(&made).doing(|| format!("reading {}", made.display()))?;
        let text = without_place(&text, &copy);
        check(&text, "tokio", &locked(&lock, "tokio")?).doing(|| format!("the list of {service}"))?;
        fs::write(path(state, service), text)?;
    }
    fs::remove_dir_all(&copy)?;
    Ok(())
}

/// Lists the npm packages that the site is built from, build tools included: without these npm would omit
/// React as well.
pub(crate) async fn packages(state: &State) -> Outcome {
    let web = places::web();
    let mut command = npm(state, &web)?;
    command
        .args(["sbom", "--package-lock-only", "--sbom-format", "cyclonedx", "--sbom-type", "application"])
        .args(["--workspace", "@konomana/site"]);
    let text = run_or_fail(&mut command, &state.log("npm-sbom")).await?;
    let lock: Value = serde_json::from_slice(&fs::read(web.join("package-lock.json"))?)?;
    let react = lock["packages"]["node_modules/react"]["version"].as_str().unwrap_or_default();
    check(&text, "react", react).doing(|| "the list of the site's files")?;
    fs::write(path(state, "site-files"), text)?;
    Ok(())
}

/// Copies the files of `from` that cargo needs.
fn copy_manifests(from: &Path, to: &Path) -> Outcome {
    if from.is_dir() {
        if from.ends_with("node_modules") {
            return Ok(());
        }
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            copy_manifests(&entry.path(), &to.join(entry.file_name()))?;
        }
    } else if MANIFESTS.iter().any(|name| from.ends_with(name)) {
        if let Some(folder) = to.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::copy(from, to).doing(|| format!("copying {}", from.display()))?;
    }
    Ok(())
}

/// Removes the folder from the list, so that the list is the same wherever it was made.
fn without_place(text: &str, folder: &Path) -> String {
    text.replace(&format!("file://{}/", folder.display()), "file:///")
}

/// Returns the version of a crate in Cargo.lock.
fn locked(lock: &str, name: &str) -> Outcome<String> {
    let named = format!("name = \"{name}\"\nversion = \"");
    match lock.split_once(&named).and_then(|(_, rest)| rest.split_once('"')) {
        Some((version, _)) => Ok(version.to_owned()),
        None => fail(format!("Cargo.lock has no {name}")),
    }
}

/// Fails unless `text` is a consistent list of `component` in that version.
fn check(text: &str, component: &str, version: &str) -> Outcome {
    let list: Value = serde_json::from_str(text)?;
    if list["bomFormat"] != "CycloneDX" || list["specVersion"] != "1.5" {
        return fail("the list is not CycloneDX 1.5");
    }
    let empty = Vec::new();
    let components = list["components"].as_array().unwrap_or(&empty);
    let mut known = BTreeSet::from([list["metadata"]["component"]["bom-ref"].as_str().unwrap_or_default()]);
    for one in components {
        let [Some(name), Some(reference), Some(_), Some(_)] =
            ["name", "bom-ref", "version", "purl"].map(|key| one[key].as_str())
        else {
            return fail(format!("a component lacks its name, reference, version or purl: {one}"));
        };
        if !known.insert(reference) {
            return fail(format!("{name} is listed twice as {reference}"));
        }
    }
    let named = |one: &&Value| one["name"] == component && one["version"] == version;
    if components.iter().find(named).is_none() {
        return fail(format!("{component} {version} is not listed"));
    }
    let dependencies = list["dependencies"].as_array().unwrap_or(&empty);
    let on = dependencies.iter().filter_map(|one| one["dependsOn"].as_array()).flatten();
    let unknown = dependencies
        .iter()
        .map(|one| &one["ref"])
        .chain(on)
        .find(|reference| !reference.as_str().is_some_and(|reference| known.contains(reference)));
    match unknown {
        Some(reference) => fail(format!("{reference} is a dependency but not listed")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use tooling::scratch::Scratch;

    use super::*;

    fn list() -> Value {
        json!({
            "bomFormat": "CycloneDX",
            "specVersion": "1.5",
            "metadata": {"component": {"bom-ref": "edge", "name": "edge"}},
            "components": [
                {"bom-ref": "t", "name": "tokio", "version": "1.54.0", "purl": "pkg:cargo/tokio@1.54.0"},
                {"bom-ref": "b", "name": "bytes", "version": "1.9.0", "purl": "pkg:cargo/bytes@1.9.0"},
            ],
            "dependencies": [{"ref": "edge", "dependsOn": ["t"]}, {"ref": "t", "dependsOn": ["b"]}, {"ref": "b"}],
        })
    }

    fn fault(change: impl FnOnce(&mut Value)) -> Option<String> {
        let mut list = list();
        change(&mut list);
        check(&list.to_string(), "tokio", "1.54.0").err().map(|error| error.to_string())
    }

    #[test]
    fn a_list_is_consistent_and_names_the_built_in_version() {
        assert_eq!(fault(|_| ()), None);
        let said = |change: fn(&mut Value)| fault(change).expect("the list is refused");
        assert_eq!(said(|list| list["bomFormat"] = json!("SPDX")), "the list is not CycloneDX 1.5");
        assert_eq!(
            said(|list| list["components"][0]["version"] = json!("1.53.0")),
            "tokio 1.54.0 is not listed"
        );
        assert_eq!(said(|list| list["components"] = json!([])), "tokio 1.54.0 is not listed");
        assert!(said(|list| list["components"][1]["purl"] = json!(null)).starts_with("a component lacks"));
        assert_eq!(said(|list| list["components"][1]["bom-ref"] = json!("t")), "bytes is listed twice as t");
        assert_eq!(
            said(|list| list["dependencies"][1]["dependsOn"][0] = json!("x")),
            "\"x\" is a dependency but not listed"
        );
    }

    #[test]
    fn cargo_lock_says_which_version_is_built_in() {
        let lock = fs::read_to_string(places::repository().join("Cargo.lock")).expect("read Cargo.lock");
        assert!(locked(&lock, "tokio").expect("the crate is locked").starts_with("1."));
        assert!(locked(&lock, "toki").is_err());
    }

    #[test]
    fn the_copy_has_only_the_files_that_cargo_needs() {
        let folder = Scratch::new();
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        for name in ["edge/Cargo.toml", "edge/src/main.rs", "edge/src/gate.rs", "dev/node_modules/x/main.rs"]
        {
            let file = from.join(name);
            fs::create_dir_all(file.parent().expect("the file has a folder")).expect("create it");
            fs::write(file, name).expect("create it");
        }
        copy_manifests(&from, &to).expect("copy the manifests");
        assert!(to.join("edge/Cargo.toml").exists() && to.join("edge/src/main.rs").exists());
        assert!(!to.join("edge/src/gate.rs").exists() && !to.join("dev").exists());
    }

    #[test]
    fn a_list_does_not_contain_the_folder_it_was_made_in() {
        let text = without_place(r#""path+file:///home/me/x/services/kit#0.1.0""#, Path::new("/home/me/x"));
        assert_eq!(text, r#""path+file:///services/kit#0.1.0""#);
    }
}
