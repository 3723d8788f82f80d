//! Measures the SQL of the search alone, on as many lessons as a large school has, compared with a sequential
//! scan.

use std::fs;
use std::time::Instant;

use forms::search::{Words, grams};
use hdrhistogram::Histogram;
use runner::databases::execute;
use runner::places;
use sqlx::{AssertSqlSafe, Executor as _, PgConnection, Row as _};
use tooling::failure::{Doing as _, Outcome, fail};

use super::load::milliseconds;

/// Smallest number of lessons.
const LESSONS: usize = 50_000;
/// Queries of each kind.
const QUERIES: usize = 2_000;
/// Upper bound of the histogram: one minute, in microseconds.
const LONGEST: u64 = 60_000_000;
/// Words in nearly every lesson, in many, in none, and words too short for the index.
const WORST: [&str; 6] = ["の", "数学", "ようになります", "ます する", "鰻重", "ー"];

/// A lesson in the search table.
struct Entry {
    id: i64,
    title: String,
    body: String,
}

/// Multiplies the lessons of the catalogue, and prints search times.
pub(super) async fn measure(lms: &mut PgConnection) -> Outcome {
    let entries = read_entries(lms).await?;
    let lessons = fill(lms, &entries).await?;
    for name in ["begins", "find", "suggest"] {
        let file = places::service("lms").join(format!("src/search/{name}.sql"));
        let sql = fs::read_to_string(&file).doing(|| format!("reading {}", file.display()))?;
        execute(lms, format!("PREPARE {name} AS {sql}")).await?;
    }
    let scan = "SELECT count(*) FROM search WHERE ' ' || body LIKE ALL ($1::text[])";
    execute(lms, format!("PREPARE scan AS {scan}")).await?;

    let queries = queries(&entries)?;
    println!("\nsearch over {lessons} lessons, {} queries, in SQL:", queries.len());
    let (queries, choice) = choose(lms, queries).await?;
    print("where kana match", &choice);
    let all = "ARRAY['course', 'lesson', 'teacher']";
    let find = time(lms, &queries, |words| format!("EXECUTE find({}, {all}, 5, 0, 1000)", parameters(words)));
    let find = find.await?;
    print("results", &find);
    let suggest = time(lms, &queries, |words| format!("EXECUTE suggest({}, 8, 200)", parameters(words)));
    print("suggestions", &suggest.await?);
    // A tenth of the queries, because the scan is slow.
    let some = &queries[..queries.len() / 10];
    let scan = time(lms, some, |words| format!("EXECUTE scan({})", array(&words.patterns()))).await?;
    print("a plain scan", &scan);
    println!("  p99 of results against that of a plain scan: ratio {:.2}", p99(&find) / p99(&scan));
    Ok(())
}

async fn read_entries(lms: &mut PgConnection) -> Outcome<Vec<Entry>> {
    let rows = lms.fetch_all("SELECT id, title, body FROM search WHERE kind = 'lesson' ORDER BY id").await?;
    let entry = |row: sqlx::postgres::PgRow| {
        Ok(Entry { id: row.try_get(0)?, title: row.try_get(1)?, body: row.try_get(2)? })
    };
    let entries = rows.into_iter().map(entry).collect::<Outcome<Vec<_>>>()?;
    if entries.is_empty() { fail("there are no lessons to multiply") } else { Ok(entries) }
}

/// Copies every lesson until there are enough. Returns the number of lessons.
async fn fill(lms: &mut PgConnection, entries: &[Entry]) -> Outcome<usize> {
    let copies = LESSONS.div_ceil(entries.len());
    execute(
        lms,
        format!(
            "INSERT INTO lesson (id, unit_id, course_id, position, name, summary, duration)
             SELECT id * 1000 + copy, unit_id, course_id, 1000 * copy + position, name || ' ' || copy, summary, duration
             FROM lesson, generate_series(1, {copies}) AS copy"
        ),
    )
    .await?;
    // The pending list speeds up the copy.
    pending(lms, true).await?;
    let columns = "search (kind, id, title, body, title_grams, body_grams)";
    for copy in 1..=copies {
        let lines: String = entries.iter().map(|entry| line(entry, copy)).collect::<Vec<_>>().concat();
        let mut sink = lms.copy_in_raw(&format!("COPY {columns} FROM STDIN")).await?;
        sink.send(lines.as_bytes()).await?;
        sink.finish().await?;
    }
    pending(lms, false).await?;
    for table in ["search", "lesson"] {
        execute(lms, format!("VACUUM ANALYZE {table}")).await?;
    }
    Ok(entries.len() * (copies + 1))
}

async fn pending(lms: &mut PgConnection, on: bool) -> Outcome {
    for index in ["search_lesson_title_grams_idx", "search_lesson_body_grams_idx"] {
        execute(lms, format!("ALTER INDEX {index} SET (fastupdate = {on})")).await?;
    }
    Ok(())
}

/// Formats a row for COPY.
fn line(entry: &Entry, copy: usize) -> String {
    let id = entry.id * 1000 + i64::try_from(copy).unwrap_or(i64::MAX);
    let (title, body) = (format!("{} {copy}", entry.title), format!("{} {copy}", entry.body));
    let list = |text: &str| {
        let quoted = grams(text).into_iter().map(|gram| gram.replace('\\', r"\\").replace('"', r#"\""#));
        format!("{{{}}}", quoted.map(|gram| format!("\"{gram}\"")).collect::<Vec<_>>().join(","))
    };
    let [title_grams, body_grams] = [list(&title), list(&body)];
    let fields = [&title, &body, &title_grams, &body_grams].map(|field| field.replace('\\', r"\\"));
    format!("lesson\t{id}\t{}\n", fields.join("\t"))
}

/// Builds queries: pieces of one to five characters of titles and other texts, single and in pairs, and the
/// worst cases.
fn queries(entries: &[Entry]) -> Outcome<Vec<Words>> {
    let mut seed: usize = 1;
    let mut below = |limit: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % limit.max(1)
    };
    let mut queries = Vec::new();
    for number in 0..QUERIES {
        let entry = &entries[below(entries.len())];
        let mut piece = |text: &str| {
            let words: Vec<&str> = text.split(' ').collect();
            let letters: Vec<char> = words[below(words.len())].chars().collect();
            let first = below(letters.len());
            letters.into_iter().skip(first).take(1 + below(5)).collect::<String>()
        };
        let query = match number % 10 {
            0 => WORST[number / 10 % WORST.len()].to_owned(),
            1..=3 => format!("{} {}", piece(&entry.title), piece(&entry.body)),
            4 => piece(&entry.body),
            _ => piece(&entry.title),
        };
        queries.push(Words::parse(&query).doing(|| "making up a query")?);
    }
    Ok(queries)
}

/// Chooses where words of kana match, as the service does. Returns the times of those choices.
async fn choose(lms: &mut PgConnection, queries: Vec<Words>) -> Outcome<(Vec<Words>, Histogram<u64>)> {
    let mut times = Histogram::new_with_bounds(1, LONGEST, 3)?;
    let mut chosen = Vec::new();
    for words in queries {
        let Some(at_starts) = words.kana_at_starts() else {
            chosen.push(words);
            continue;
        };
        let sql = format!("EXECUTE begins({}, {})", array(&at_starts.grams()), array(&at_starts.patterns()));
        let began = Instant::now();
        let row = lms.fetch_one(sqlx::raw_sql(AssertSqlSafe(sql))).await?;
        record(&mut times, began);
        chosen.push(if row.try_get(0)? { at_starts } else { words });
    }
    Ok((chosen, times))
}

async fn time(
    lms: &mut PgConnection,
    queries: &[Words],
    statement: impl Fn(&Words) -> String,
) -> Outcome<Histogram<u64>> {
    let mut times = Histogram::new_with_bounds(1, LONGEST, 3)?;
    for words in queries {
        let sql = statement(words);
        let began = Instant::now();
        lms.fetch_all(sqlx::raw_sql(AssertSqlSafe(sql))).await?;
        record(&mut times, began);
    }
    Ok(times)
}

fn record(times: &mut Histogram<u64>, began: Instant) {
    times.saturating_record(u64::try_from(began.elapsed().as_micros()).unwrap_or(LONGEST).max(1));
}

/// Formats the parameters as the service does.
fn parameters(words: &Words) -> String {
    format!("{}, {}, {}", array(&words.grams()), array(&words.patterns()), quoted(&words.beginning()))
}

fn array(texts: &[String]) -> String {
    let texts = texts.iter().map(|text| quoted(text));
    format!("ARRAY[{}]::text[]", texts.collect::<Vec<_>>().join(", "))
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

fn p99(times: &Histogram<u64>) -> f64 {
    milliseconds(times, 0.99)
}

fn print(name: &str, times: &Histogram<u64>) {
    println!("  {name:<16} p50 {:>8.2} ms, p99 {:>8.2} ms", milliseconds(times, 0.5), p99(times));
}
