//! PostgreSQL alone, running the SQL of a page: the upper bound of throughput.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use tokio::process::Command;
use tooling::command::{find_program, run_or_fail};
use tooling::failure::{Doing as _, Outcome};

use runner::databases::Server;
use runner::state::State;

/// Statement of the inventory page: the fixed baseline.
const INVENTORY_PAGE: &str = include_str!("inventory_page.sql");

/// Finds pgbench on PATH, or in the folder of Debian's postgresql-contrib.
pub(super) fn program() -> Option<PathBuf> {
    find_program("pgbench").or_else(|| {
        let versions = fs::read_dir("/usr/lib/postgresql").ok()?;
        versions.flatten().map(|entry| entry.path().join("bin/pgbench")).find(|path| path.is_file())
    })
}

/// Writes the pgbench script of an inventory page of a random learner. Ids of the `learners` begin with
/// `prefix`.
pub(super) fn inventory_script(prefix: &str, learners: u32) -> String {
    format!("\\set number random(1, {learners})\n{};\n", with_parameters(INVENTORY_PAGE, prefix))
}

/// Fills in the parameters that lms uses for the first page: learner, rows, offset, last watched first.
fn with_parameters(sql: &str, prefix: &str) -> String {
    let statement: String = sql.lines().filter(|line| !line.starts_with("--")).collect::<Vec<_>>().join("\n");
    statement
        .replace("$1", &format!("('{prefix}' || lpad(:number::text, 12, '0'))::uuid"))
        .replace("$2", "12")
        .replace("$3", "0")
        .replace("$4", "true")
}

/// Statements that pgbench runs in place of the product.
pub(super) struct Comparison {
    /// What the product does.
    pub(super) what: &'static str,
    /// What pgbench does.
    pub(super) sql: &'static str,
    /// The service of the database.
    pub(super) service: &'static str,
    pub(super) script: String,
}

/// A service's database, for pgbench.
pub(super) struct Target<'a> {
    /// Server of the database.
    pub(super) server: &'a Server,
    /// Name of the database and of its role.
    pub(super) name: String,
    /// Password of the role.
    pub(super) password: String,
}

/// Runs `script` with prepared statements on this many connections. Returns transactions per second.
pub(super) async fn rate(
    program: &PathBuf,
    state: &State,
    target: &Target<'_>,
    script: &str,
    connections: u64,
    length: Duration,
) -> Outcome<f64> {
    let file = state.path("pgbench.sql");
    fs::write(&file, script).doing(|| format!("writing {}", file.display()))?;
    let (host, port) = target.server.host_and_port();
    let mut command = Command::new(program);
    command
        .args(["--no-vacuum", "--protocol=prepared", "--jobs=2", "--random-seed=1"])
        .arg(format!("--client={connections}"))
        .arg(format!("--time={}", length.as_secs()))
        .arg(format!("--file={}", file.display()))
        .args(["--host", host, "--port", &port.to_string(), "--username", &target.name, &target.name])
        .env("PGPASSWORD", &target.password);
    let output = run_or_fail(&mut command, &state.log("pgbench")).await?;
    let rate = output
        .lines()
        .find_map(|line| line.strip_prefix("tps = "))
        .and_then(|line| line.split(' ').next()?.parse().ok());
    rate.ok_or_else(|| "pgbench said no rate".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_of_the_page_is_given() {
        let script = inventory_script("0192-", 1000);
        assert!(script.starts_with("\\set number random(1, 1000)\nSELECT"), "{script}");
        assert!(script.contains("inventory.learner_id = ('0192-' || lpad(:number::text, 12, '0'))::uuid"));
        assert!(!script.contains('$'), "{script}");
    }
}
