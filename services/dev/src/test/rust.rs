//! Rust: lints, checked queries, and tests over real sockets with a real PostgreSQL.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime};

use runner::databases::Server;
use runner::places;
use runner::services::WITH_DATABASE;
use serde_json::Value;
use sqlx::migrate::Migrator;
use sqlx::{Connection as _, PgConnection};
use tooling::command::run;
use tooling::failure::{Doing as _, Outcome, fail};

use super::Session;

impl Session {
    /// Compiles with lints, checks the queries, and runs the tests.
    pub(super) async fn rust(&mut self) -> Outcome {
        let url = self.postgres().await?;
        self.compile_with_clippy(&url).await?;
        // The studio's tests use the font of an npm package.
        runner::npm::install(&places::web(), &self.state).await?;
        self.rust_tests().await?;
        self.localstripe_test().await
    }

    /// Compiles everything with clippy, which must print nothing, while freshly migrated databases describe every query
    /// again. Compares the descriptions with the committed ones.
    async fn compile_with_clippy(&mut self, admin: &str) -> Outcome {
        let fresh = self.state.path("sqlx");
        if fresh.exists() {
            fs::remove_dir_all(&fresh)?;
        }
        fs::create_dir_all(&fresh)?;
        let mut build = Self::cargo(&["build", "--quiet", "--workspace", "--all-targets"]);
        build.env("SQLX_OFFLINE", "false").env("SQLX_OFFLINE_DIR", &fresh);
        let server = Server::connect(admin).await?;
        for service in WITH_DATABASE {
            let url = server.fresh(&format!("queries_{service}")).await?;
            let migrations = places::service(service).join("migrations");
            let migrator = Migrator::new(migrations.as_path()).await?;
            migrator
                .run(&mut PgConnection::connect(&url).await?)
                .await
                .doing(|| format!("migrating by {}", migrations.display()))?;
            build.env(format!("{}_DATABASE_URL", service.to_uppercase()), &url);
        }
        // A query is described only when its crate is compiled.
        let sources = WITH_DATABASE.map(|service| places::service(service).join("src/lib.rs"));
        let touched = TouchedFiles::new(&sources, fs::metadata(&fresh)?.modified()?)?;
        let begun = Instant::now();
        let ended = run(&mut build).await;
        touched.restore()?;
        let ended = ended?;
        if ended.status.success() && ended.output.trim().is_empty() {
            self.report.add_passed("compilation with clippy", begun);
        } else {
            self.report.add_failed("compilation with clippy", &ended.output);
        }
        if ended.status.success() {
            let begun = Instant::now();
            match compare_descriptions(&fresh) {
                Ok(()) => self.report.add_passed("checked queries are up to date", begun),
                Err(error) => self.report.add_failed("checked queries are up to date", &error.to_string()),
            }
        }
        Ok(())
    }
}

/// Fails unless the query descriptions in `fresh` equal the committed ones.
fn compare_descriptions(fresh: &Path) -> Outcome {
    let described = read_descriptions(fresh)?;
    let mut committed = BTreeMap::new();
    for service in WITH_DATABASE {
        committed.extend(read_descriptions(&places::service(service).join(".sqlx"))?);
    }
    let stale: Vec<&str> = described
        .keys()
        .chain(committed.keys())
        .filter(|name| described.get(*name) != committed.get(*name))
        .map(String::as_str)
        .collect();
    if stale.is_empty() {
        return Ok(());
    }
    fail(format!(
        "{} of the committed query descriptions (services/*/.sqlx) do not match the migrations and the sources: \
         {}; the right ones are in {}",
        stale.len(),
        stale.join(", "),
        fresh.display()
    ))
}

/// Reads query descriptions by file name.
fn read_descriptions(folder: &Path) -> Outcome<BTreeMap<String, Value>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).doing(|| format!("reading {}", folder.display()))? {
        let path = entry?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
            continue;
        };
        if name.starts_with("query-") {
            all.insert(name.to_owned(), serde_json::from_slice(&fs::read(&path)?)?);
        }
    }
    Ok(all)
}

/// Files whose modification time is raised temporarily, so that cargo compiles them again.
struct TouchedFiles(Vec<(fs::File, SystemTime)>);

impl TouchedFiles {
    fn new(files: &[PathBuf], now: SystemTime) -> Outcome<Self> {
        let mut touched = Vec::new();
        for path in files {
            let file = fs::File::options().append(true).open(path)?;
            let modified = file.metadata()?.modified()?;
            file.set_modified(now)?;
            touched.push((file, modified));
        }
        Ok(Self(touched))
    }

    fn restore(self) -> Outcome {
        for (file, modified) in self.0 {
            file.set_modified(modified)?;
        }
        Ok(())
    }
}
