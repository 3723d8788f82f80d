//! `cargo dev fill`: adds thousands of learners with typical data, directly in the databases with COPY.
//!
//! The rows are consistent, as the services would write them: marks belong to owned courses, and `progress`
//! matches checks and watch rows.

mod rows;

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

use runner::databases::{Server, execute};
use runner::product::database_name;
use runner::state::State;
use runner::{places, postgres};
use sqlx::{Connection as _, Executor as _, PgConnection, Row as _};
use tooling::failure::{Doing as _, Outcome, fail};
use tooling::steps::duration;

use crate::arguments::Fill;
use rows::{Course, Learners, Table};

/// Watched lessons in a batch of learners: enough for an efficient COPY, and few enough for memory.
const BATCH: usize = 200_000;
/// Account whose password hash all learners get. A hash for each would take 20 ms of CPU time a learner.
const MODEL: &str = "adult@demo.example";
/// Password of that account; it exists only in demo content.
pub const PASSWORD: &str = "demo-konomana-2026";

/// Amount of data of each learner.
#[derive(Clone, Copy)]
pub struct PerLearner {
    /// Number of owned courses.
    pub owned: usize,
    /// Number of watched lessons of the owned courses.
    pub watched: usize,
}

/// Default amount.
pub const USUAL: PerLearner = PerLearner { owned: 6, watched: 40 };

/// The added learners.
pub struct NewLearners {
    /// Common prefix of their ids. Twelve decimal digits follow, counted from 1.
    pub id_prefix: String,
    /// Their email addresses, in order.
    pub emails: Vec<String>,
    rows: u64,
    took: Duration,
}

/// Fills the databases of the product of `arguments`.
pub async fn fill(arguments: &Fill) -> Outcome {
    let root = places::state(arguments.at.state.as_deref());
    let Some(state) = State::existing(&root)?.filter(|state| state.runner().is_some()) else {
        return fail("no product is running: start one with cargo dev up");
    };
    let server = postgres::connect_server(&state, arguments.database_url.as_deref()).await?;
    let filled = into(&server, &state, arguments.learners, USUAL, Some(&arguments.csv)).await?;
    let seconds = filled.took.as_secs_f64().max(0.001);
    println!(
        "{} learners, {} rows in {}: {:.0} learners/s, {:.0} rows/s; {} has the email,password of each",
        arguments.learners,
        filled.rows,
        duration(filled.took),
        f64::from(arguments.learners) / seconds,
        // A float represents far more rows exactly.
        precise(filled.rows) / seconds,
        arguments.csv.display()
    );
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "for people to read")]
fn precise(number: u64) -> f64 {
    number as f64
}

/// Adds `count` learners to the databases of `state` on `server`, and writes their email addresses and
/// passwords to `csv`.
pub async fn into(
    server: &Server,
    state: &State,
    count: u32,
    each: PerLearner,
    csv: Option<&Path>,
) -> Outcome<NewLearners> {
    let begun = Instant::now();
    let mut auth = connection(server, state, "auth").await?;
    let mut lms = connection(server, state, "lms").await?;
    let mut watching = connection(server, state, "lms").await?;
    let hash: Option<String> = auth
        .fetch_optional(sqlx::raw_sql(sqlx::AssertSqlSafe(format!(
            "SELECT password_hash FROM account WHERE email_key = '{MODEL}'"
        ))))
        .await?
        .map(|row| row.try_get(0))
        .transpose()?;
    let Some(hash) = hash else {
        return fail(format!(
            "the account {MODEL}, whose password the learners get, does not exist: run cargo dev up"
        ));
    };
    let courses = courses(&mut lms).await?;
    let now: f64 = lms.fetch_one("SELECT extract(epoch FROM now())::float8").await?.try_get(0)?;
    let learners = Learners::new(hash, courses, each, now)?;
    let mut csv_file = csv.map(open).transpose()?;
    let mut filled = NewLearners {
        id_prefix: learners.id_prefix().to_owned(),
        emails: Vec::new(),
        rows: 0,
        took: Duration::ZERO,
    };
    let batch = u32::try_from(BATCH / each.watched.max(1))?.max(1);
    let mut first = 1;
    while first <= count {
        let last = count.min(first + batch - 1);
        let batch = learners.batch(first..=last);
        let (accounts, marks, watched) = tokio::try_join!(
            copy(&mut auth, &batch.accounts),
            copy_all(&mut lms, &batch.marks),
            copy(&mut watching, &batch.watch),
        )?;
        refresh_inventory(&mut lms, learners.id_prefix(), first, last).await?;
        filled.rows += accounts + marks + watched;
        for email in batch.emails {
            if let Some(file) = &mut csv_file {
                writeln!(file, "{email},{PASSWORD}")?;
            }
            filled.emails.push(email);
        }
        if last < count {
            eprintln!("  {last} of {count} learners, {}", duration(begun.elapsed()));
        }
        first = last + 1;
    }
    if let Some(mut file) = csv_file {
        file.flush().doing(|| "writing the list of learners")?;
    }
    // The planner needs the new sizes of the tables.
    tokio::try_join!(execute(&mut auth, "ANALYZE".to_owned()), execute(&mut lms, "ANALYZE".to_owned()))?;
    for connection in [auth, lms, watching] {
        connection.close().await?;
    }
    filled.took = begun.elapsed();
    Ok(filled)
}

fn open(path: &Path) -> Outcome<BufWriter<File>> {
    let mut list = BufWriter::new(File::create(path).doing(|| format!("writing {}", path.display()))?);
    writeln!(list, "email,password")?;
    Ok(list)
}

async fn connection(server: &Server, state: &State, service: &str) -> Outcome<PgConnection> {
    let Some(password) = state.kept_secret(&format!("{service} database")) else {
        return fail("the databases do not exist yet: run cargo dev up");
    };
    server.open_trusted(&database_name(state, service), password).await
}

/// Reads every course with its lessons.
async fn courses(lms: &mut PgConnection) -> Outcome<Vec<Course>> {
    let rows = lms.fetch_all("SELECT course_id, id, duration FROM lesson ORDER BY course_id, id").await?;
    let mut courses: Vec<Course> = Vec::new();
    for row in rows {
        let (course, lesson, seconds) = (row.try_get::<i64, _>(0)?, row.try_get(1)?, row.try_get(2)?);
        match courses.last_mut() {
            Some(last) if last.id == course => last.lessons.push((lesson, seconds)),
            _ => courses.push(Course { id: course, lessons: vec![(lesson, seconds)] }),
        }
    }
    Ok(courses)
}

/// Computes `learner_inventory`, because the triggers skip trusted connections.
async fn refresh_inventory(lms: &mut PgConnection, id_prefix: &str, first: u32, last: u32) -> Outcome {
    let refresh = format!(
        "SELECT refresh_learner_inventory(array_agg(('{id_prefix}' || lpad(number::text, 12, '0'))::uuid)) \
         FROM generate_series({first}, {last}) AS number"
    );
    execute(lms, refresh).await
}

async fn copy_all(connection: &mut PgConnection, tables: &[Table]) -> Outcome<u64> {
    let mut rows = 0;
    for table in tables {
        rows += copy(connection, table).await?;
    }
    Ok(rows)
}

async fn copy(connection: &mut PgConnection, table: &Table) -> Outcome<u64> {
    let statement = format!("COPY {} FROM STDIN", table.columns);
    let mut copy = connection.copy_in_raw(&statement).await?;
    copy.send(table.text.as_bytes()).await?;
    Ok(copy.finish().await?)
}
