//! Imports content into the services of a cluster. Each service gets the archive through `kubectl exec` and
//! imports its part.

use std::fs;

use kit_content::archive::{Archive, SIZE_LIMIT};
use tokio::process::Command;
use tooling::command::{ProgramOutput, run_with_input};
use tooling::failure::{Doing as _, Outcome, fail};

use super::{SERVICES, pack};
use crate::cli::{Cluster, ContentPush};

/// Imports content.
pub(super) async fn push(arguments: &ContentPush) -> Outcome {
    let bytes = match arguments.content.as_deref() {
        Some(file) if file.is_file() => {
            let size = fs::metadata(file).doing(|| format!("reading {}", file.display()))?.len();
            if size > SIZE_LIMIT {
                return fail(format!("{} is larger than {} MiB", file.display(), SIZE_LIMIT / 1024 / 1024));
            }
            fs::read(file).doing(|| format!("reading {}", file.display()))?
        }
        folder => pack::pack(folder, None).await?,
    };
    let archive =
        Archive::from_reader(&*bytes, None).map_err(|fault| format!("the archive is not usable: {fault}"))?;
    let version = &archive.version;
    // auth imports only the demo's accounts.
    let all = SERVICES.iter().copied().chain(["auth"]);
    let services: Vec<&str> = all.filter(|name| archive.services().contains(name)).collect();
    if let Some(other) = archive.services().into_iter().find(|name| !services.contains(name)) {
        return fail(format!(
            "the archive has a folder {other}/, but no service with this name imports content"
        ));
    }

    println!("version {version}");
    let mut faulty = Vec::new();
    for service in &services {
        let checked = import(&arguments.cluster, service, true, &bytes).await?;
        // A real import prints the same again.
        if arguments.dry_run || !checked.status.success() {
            say(service, &checked.output);
        }
        if !checked.status.success() {
            faulty.push(*service);
        }
    }
    if !faulty.is_empty() {
        return fail(format!("{} refused it; nothing was imported anywhere", faulty.join(" and ")));
    }
    if arguments.dry_run {
        println!("every service accepts it; nothing was imported (--dry-run)");
        return Ok(());
    }

    let mut imported: Vec<&str> = Vec::new();
    for service in &services {
        let ended = import(&arguments.cluster, service, false, &bytes).await?;
        say(service, &ended.output);
        if !ended.status.success() {
            let done = if imported.is_empty() { "none".to_owned() } else { imported.join(", ") };
            let missing: Vec<&str> =
                services.iter().copied().filter(|name| !imported.contains(name)).collect();
            return fail(format!(
                "{service} failed. Version {version} is in: {done}; not in: {}. Push it again, or the version before",
                missing.join(", ")
            ));
        }
        imported.push(service);
    }
    println!("{} have version {version}", imported.join(", "));
    Ok(())
}

/// Prints the content versions of each service.
pub(super) async fn status(cluster: &Cluster) -> Outcome {
    let mut unknown = Vec::new();
    for service in SERVICES {
        let ended = run_with_input(&mut exec(cluster, service, &[service, "content"]), &[]).await?;
        say(service, &ended.output);
        if !ended.status.success() {
            unknown.push(service);
        }
    }
    if unknown.is_empty() {
        Ok(())
    } else {
        fail(format!("{} did not report a version", unknown.join(" and ")))
    }
}

async fn import(cluster: &Cluster, service: &str, dry_run: bool, archive: &[u8]) -> Outcome<ProgramOutput> {
    let command: &[&str] =
        if dry_run { &[service, "import", "--dry-run", "-"] } else { &[service, "import", "-"] };
    run_with_input(&mut exec(cluster, service, command), archive).await
}

/// Builds `command` in a pod of `service`.
fn exec(cluster: &Cluster, service: &str, command: &[&str]) -> Command {
    let mut kubectl = Command::new("kubectl");
    if let Some(context) = &cluster.context {
        kubectl.args(["--context", context]);
    }
    let deployment = format!("deployment/{service}");
    kubectl.args(["--namespace", &cluster.namespace, "exec", "--stdin", &deployment]);
    // A service mesh adds containers to the pod.
    kubectl.args(["--container", service, "--"]).args(command);
    kubectl
}

fn say(service: &str, output: &str) {
    for line in output.lines() {
        println!("{service}: {line}");
    }
}
