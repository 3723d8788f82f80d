//! Builds the programs of the product.

use tokio::process::Command;
use tooling::failure::Outcome;
use tooling::steps::Steps;

use crate::services::SERVICES;
use crate::{places, videos};

/// Disk space of a first build and the databases, in bytes.
const FIRST_BUILD: u64 = 3 * 1024 * 1024 * 1024;

/// Builds what the product runs: the services, and the studio, which draws the videos of the site.
pub(super) async fn build_programs(release: bool, site: bool, steps: Steps) -> Outcome {
    let studio = [videos::STUDIO];
    if site && release {
        // Both at once: the last crates of each are compiled one after another.
        let services = steps.step("build: cargo build", build(true, &SERVICES));
        let studio = steps.step("build: the studio", build(false, &studio));
        tokio::try_join!(services, studio)?;
        return Ok(());
    }
    let mut programs = SERVICES.to_vec();
    programs.extend(studio.iter().filter(|_| site));
    steps.step("build: cargo build", build(release, &programs)).await
}

/// Builds these programs with cargo.
pub async fn build(release: bool, programs: &[&str]) -> Outcome {
    let mut command = Command::new("cargo");
    command.args(build_arguments(release, programs)).current_dir(places::repository());
    let built = places::binary("edge", release);
    tooling::command::check_space(&places::repository(), &built, FIRST_BUILD, "a first build")?;
    tooling::command::run_attached(&mut command).await
}

/// Cargo's arguments. They name programs instead of packages, so that all features are those of the whole workspace and
/// compiled crates are shared by all programs.
fn build_arguments<'a>(release: bool, programs: &[&'a str]) -> Vec<&'a str> {
    let mut arguments = vec!["build"];
    arguments.extend(release.then_some("--release"));
    arguments.extend(programs.iter().flat_map(|program| ["--bin", program]));
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_build_optimizes_what_runs_and_nothing_else() {
        let arguments = build_arguments(true, &SERVICES);
        assert_eq!(arguments[..2], ["build", "--release"]);
        for service in SERVICES {
            assert!(arguments.contains(&service), "{service}");
        }
        for tool in ["dev", videos::STUDIO, "--bins", "--workspace"] {
            assert!(!arguments.contains(&tool), "{tool}");
        }
    }
}
