//! `cargo dev images`: builds an image of each service, and a list of its contents.

mod builder;
mod commit;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use runner::services::SERVICES;
use runner::state::State;
use runner::{npm, places, product, web};
use tooling::failure::{Doing as _, Outcome, fail};
use tooling::steps::Steps;

use builder::{Image, Program, Size};
use commit::Commit;

use crate::{cli, sbom};

/// Largest size of a service's layers over the base, in bytes. Every node pulls them at every rollout.
const LIMIT: u64 = 40_000_000;

/// What the images of services that write PDFs have of the font.
const FONTS: [&str; 3] =
    ["400Regular/BIZUDPGothic_400Regular.ttf", "700Bold/BIZUDPGothic_700Bold.ttf", "LICENSE_FONT"];

/// Services that write PDFs.
const WITH_FONTS: [&str; 3] = ["commerce", "exam", "lms"];

/// Builds the images of `arguments`.
pub(crate) async fn build(arguments: &cli::Images) -> Outcome {
    is_version_of(&arguments.tag, env!("CARGO_PKG_VERSION"))?;
    let program = Program::find(arguments.builder)?;
    let state = State::open(&places::state(arguments.at.state.as_deref()))?;
    fs::create_dir_all(state.path("images"))?;
    let steps = Steps::begin();
    let log = state.log("images");
    program.check(&log).await?;
    let file = places::repository().join("services/Containerfile");
    let base = match &arguments.base {
        Some(base) => base.clone(),
        None => default_base(&fs::read_to_string(&file)?)?,
    };
    let commit = Commit::head().await?;
    let services: Vec<&str> = SERVICES.into_iter().filter(|name| is_wanted(arguments, name)).collect();
    if services.contains(&"site") {
        content(arguments, &state, &steps).await?;
    }
    let mut folders = Vec::new();
    let mut context = places::repository();
    if arguments.prebuilt {
        folders = prebuilt(arguments, &services, &state, &steps).await?;
        // Only this folder is copied to the image.
        context = state.path("images/prebuilt");
    }
    let values = values(arguments, &commit)?;
    let mut built = Vec::new();
    for stage in services.iter().copied() {
        let name = format!("konomana/{stage}:{}", arguments.tag);
        let image = Image {
            stage,
            name: name.clone(),
            file: &file,
            context: &context,
            folders: &folders,
            arguments: &values,
            epoch: commit.epoch,
        };
        steps.step(&format!("image {name}"), program.build(&image, &log)).await?;
        built.push((name.clone(), program.size(&name, &base, &log).await?));
    }
    let lists = sbom::crates(&state, &steps, &services, commit.epoch);
    steps.step("what is in them", lists).await?;
    if services.contains(&"site") {
        sbom::packages(&state).await?;
    }
    print!("{}", table(&built));
    println!("what is in each: {}/*.cdx.json", state.path("images").display());
    within_limit(&built)
}

/// Fails if the tag is a version that differs from the version of the binaries, which metrics and spans
/// contain.
fn is_version_of(tag: &str, version: &str) -> Outcome {
    let named = tag.strip_prefix('v').unwrap_or(tag);
    let is_version = named.starts_with(|first: char| first.is_ascii_digit()) && named.contains('.');
    if named == version || !is_version {
        return Ok(());
    }
    fail(format!(
        "the binaries would say that they are {version}, not {tag}: set `version` in Cargo.toml first"
    ))
}

fn is_wanted(arguments: &cli::Images, name: &str) -> bool {
    arguments.services.is_empty() || arguments.services.iter().any(|wanted| wanted == name)
}

/// Returns the values of the Containerfile's `ARG`s.
fn values(arguments: &cli::Images, commit: &Commit) -> Outcome<Vec<(&'static str, String)>> {
    let mut values = vec![
        ("VERSION", env!("CARGO_PKG_VERSION").to_owned()),
        ("REVISION", commit.revision.clone()),
        ("CREATED", commit.created()?),
        ("SOURCE", commit.source.clone()),
        ("SITE_ORIGIN", arguments.origin.clone()),
    ];
    let given = [("BASE", &arguments.base), ("RUST", &arguments.rust), ("NODE", &arguments.node)];
    values.extend(given.into_iter().filter_map(|(name, value)| Some((name, value.clone()?))));
    Ok(values)
}

/// Returns the base image of the Containerfile.
fn default_base(containerfile: &str) -> Outcome<String> {
    match containerfile.lines().find_map(|line| line.strip_prefix("ARG BASE=")) {
        Some(base) => Ok(base.to_owned()),
        None => fail("services/Containerfile names no BASE: give one with --base"),
    }
}

/// Fails if there is no content to build the site's pages from.
async fn content(arguments: &cli::Images, state: &State, steps: &Steps) -> Outcome {
    if arguments.prebuilt || arguments.api.is_some() {
        steps.step("web: packages from npm", npm::install(&places::web(), state)).await?;
    }
    if let Some(api) = &arguments.api {
        return steps.step(&format!("web: the content of {api}"), web::ask(state, api)).await;
    }
    let content = web::content();
    if content.exists() {
        return Ok(());
    }
    fail(format!(
        "the site's pages are made from {}, which is not there: give --api URL of a running product, or run cargo dev up once for the demo's",
        content.display()
    ))
}

/// Compiles on this machine. Returns a folder for each stage of the Containerfile that it replaces.
async fn prebuilt(
    arguments: &cli::Images,
    services: &[&str],
    state: &State,
    steps: &Steps,
) -> Outcome<Vec<(&'static str, PathBuf)>> {
    let folder = state.path("images/prebuilt");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    let (binaries, files, fonts) = (folder.join("binaries"), folder.join("files"), folder.join("fonts"));
    for folder in [&files, &fonts] {
        fs::create_dir_all(folder)?;
    }
    steps.step("build: cargo build --release", product::build(true, services)).await?;
    for service in services {
        copy(&places::binary(service, true), &binaries.join(service))?;
    }
    if services.contains(&"site") {
        let made = steps.step("web: build", web::publish(state, &arguments.origin)).await?;
        copy(&made, &files)?;
    }
    if WITH_FONTS.iter().any(|name| services.contains(name)) {
        steps.step("web: packages from npm", npm::install(&places::web(), state)).await?;
        for name in FONTS {
            copy(&places::fonts().join(name), &fonts.join(name))?;
        }
    }
    Ok(vec![("binaries", binaries), ("files", files), ("fonts", fonts)])
}

/// Copies a file or folder so that everyone can read it and only root can write it, whatever the umask is.
fn copy(from: &Path, to: &Path) -> Outcome {
    if from.is_dir() {
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            copy(&entry.path(), &to.join(entry.file_name()))?;
        }
        return Ok(());
    }
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
        fs::set_permissions(folder, fs::Permissions::from_mode(0o755))?;
    }
    fs::copy(from, to).doing(|| format!("copying {}", from.display()))?;
    let is_program = fs::metadata(from)?.permissions().mode() & 0o100 != 0;
    fs::set_permissions(to, fs::Permissions::from_mode(if is_program { 0o755 } else { 0o644 }))?;
    Ok(())
}

/// Formats a table with a line for each image.
fn table(built: &[(String, Size)]) -> String {
    let line = |name: &str, size: &str, over: &str| format!("{name:<28} {size:>10} {over:>14}\n");
    let mut lines = vec![line("image", "size", "over its base")];
    lines.extend(
        built.iter().map(|(name, size)| line(name, &megabytes(size.whole), &megabytes(size.over_base))),
    );
    lines.concat()
}

fn megabytes(bytes: u64) -> String {
    let tenths = bytes / 100_000;
    format!("{}.{} MB", tenths / 10, tenths % 10)
}

fn within_limit(built: &[(String, Size)]) -> Outcome {
    let large = built.iter().filter(|(_, size)| size.over_base > LIMIT);
    let large: Vec<String> =
        large.map(|(name, size)| format!("{name} ({})", megabytes(size.over_base))).collect();
    if large.is_empty() {
        return Ok(());
    }
    fail(format!("more than {} over the base: {}", megabytes(LIMIT), large.join(", ")))
}

#[cfg(test)]
mod tests {
    use tooling::scratch::Scratch;

    use super::*;

    fn containerfile() -> String {
        fs::read_to_string(places::repository().join("services/Containerfile")).expect("it is there")
    }

    #[test]
    fn a_version_tag_must_be_that_of_the_binaries() {
        for tag in ["1.4.0", "v1.4.0", "dev", "8d6011e"] {
            is_version_of(tag, "1.4.0").expect(tag);
        }
        for tag in ["1.5.0", "v1.5.0"] {
            let refused = is_version_of(tag, "1.4.0").expect_err(tag);
            assert!(refused.to_string().contains("Cargo.toml"), "{refused}");
        }
    }

    #[test]
    fn every_service_is_a_stage_whose_entry_point_is_its_binary() {
        let text = containerfile();
        for service in SERVICES {
            let (_, stage) =
                text.split_once(&format!("\nFROM service AS {service}\n")).expect("it has a stage");
            let stage = stage.split("\nFROM ").next().expect("it ends");
            assert!(stage.contains(&format!("image.title=\"konomana/{service}\"")), "{service}");
            assert!(
                stage.contains(&format!("COPY --from=binaries /{service} /usr/local/bin/{service}\n")),
                "{service}"
            );
            assert!(stage.contains(&format!("ENTRYPOINT [\"/usr/local/bin/{service}\"]")), "{service}");
            assert!(places::service(service).join("src/main.rs").exists(), "{service}");
        }
        let (_, service) = text.split_once("\nFROM ${BASE} AS service\n").expect("they share one");
        assert!(service.contains("\nUSER 65532:65532\n"));
        assert!(!service.contains("\nRUN "), "what runs in production has no shell");
    }

    #[test]
    fn images_of_services_that_write_pdfs_have_the_font_where_the_services_look() {
        let text = containerfile();
        for name in FONTS {
            assert!(places::fonts().join(name).exists(), "{name}");
            assert!(text.contains(&format!("biz-udpgothic/{name} /")), "{name}");
        }
        let folder = "/usr/local/share/fonts/biz-udpgothic";
        for name in WITH_FONTS {
            let (_, stage) = text.split_once(&format!("\nFROM service AS {name}\n")).expect("it has a stage");
            let stage = stage.split("\nFROM ").next().expect("it ends");
            let settings =
                fs::read_to_string(places::service(name).join("src/config.rs")).expect("it is there");
            let setting = format!("{}_FONTS", name.to_uppercase());
            assert!(stage.contains(&format!("COPY --from=fonts / {folder}\n")), "{name}");
            assert!(
                settings.contains(&format!("env = \"{setting}\", default_value = \"{folder}\"")),
                "{name}"
            );
        }
    }

    #[test]
    fn every_member_of_the_workspace_is_in_the_images_and_in_the_lists() {
        let manifest = fs::read_to_string(places::repository().join("Cargo.toml")).expect("it is there");
        let (_, members) = manifest.split_once("members = [").expect("it has members");
        let members = members.split(']').next().expect("the list ends").split('"').skip(1).step_by(2);
        let text = containerfile();
        let mut count = 0;
        for member in members {
            let folder = member.trim_end_matches("/*");
            assert!(text.contains(&format!("\nCOPY {folder} {folder}\n")), "{folder} is not copied");
            assert!(sbom::WORKSPACE.contains(&folder), "{folder} is not listed");
            count += 1;
        }
        assert!(count > 1, "{manifest}");
    }

    #[test]
    fn every_image_from_elsewhere_is_named_by_its_digest() {
        let text = containerfile();
        let named: Vec<&str> = text
            .lines()
            .filter_map(|line| line.strip_prefix("ARG ")?.split_once('='))
            .map(|(_, image)| image.split_once("@sha256:").expect("it has a digest").1)
            .collect();
        assert_eq!(named.len(), 3);
        assert!(named.iter().all(|digest| digest.len() == 64), "{named:?}");
        let stages: Vec<&str> = text.lines().filter_map(|line| line.split(" AS ").nth(1)).collect();
        for from in text.lines().filter_map(|line| line.strip_prefix("FROM ")?.split(' ').next()) {
            assert!(
                ["scratch", "${BASE}", "${RUST}", "${NODE}"].contains(&from) || stages.contains(&from),
                "{from}"
            );
        }
        assert!(default_base(&text).expect("it has one").contains("distroless/cc-debian12:nonroot@sha256:"));
    }

    #[test]
    fn an_image_that_grew_too_large_is_named() {
        let size = |over_base| Size { whole: over_base + 20_000_000, over_base };
        let mut built = vec![("konomana/edge:dev".to_owned(), size(LIMIT))];
        assert!(within_limit(&built).is_ok());
        built.push(("konomana/lms:dev".to_owned(), size(LIMIT + 100_000)));
        let failure = within_limit(&built).expect_err("one is too large");
        assert_eq!(failure.to_string(), "more than 40.0 MB over the base: konomana/lms:dev (40.1 MB)");
        assert!(
            table(&built).ends_with("konomana/lms:dev                60.1 MB        40.1 MB\n"),
            "{}",
            table(&built)
        );
    }

    #[test]
    fn what_is_copied_can_be_read_by_everybody_and_written_by_nobody_else() {
        let folder = Scratch::new();
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        fs::create_dir_all(from.join("assets")).expect("it is new");
        for (name, mode) in [("edge", 0o700), ("assets/a.js", 0o666)] {
            fs::write(from.join(name), name).expect("it is new");
            fs::set_permissions(from.join(name), fs::Permissions::from_mode(mode)).expect("it is ours");
        }
        copy(&from, &to).expect("it copies");
        let mode =
            |name: &str| fs::metadata(to.join(name)).expect("it is there").permissions().mode() & 0o777;
        assert_eq!((mode("edge"), mode("assets"), mode("assets/a.js")), (0o755, 0o755, 0o644));
    }
}
