//! The rows of a learner as lines of COPY.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::RangeInclusive;

use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use tooling::failure::{Outcome, fail};

use super::PerLearner;

/// Bookmarks of a learner.
const BOOKMARKS: usize = 5;
/// Favorites of a learner.
const FAVORITES: usize = 10;
/// Checks of a learner.
const CHECKS: usize = 30;
/// Day offset of the last check.
const LAST_CHECK: i64 = 30;
/// Length of a coverage cell in seconds.
const CELL: i32 = 5;
/// Range of the timestamps in days ago: from the end of the last item to the first sign-up.
const MIN_DAYS_AGO: i64 = -210;
const OLDEST: i64 = 400;
/// Seconds in a day.
const DAY: i64 = 86_400;

/// A course with the data that its learners' rows need.
pub(super) struct Course {
    pub(super) id: i64,
    /// Id and length in seconds of each lesson, in order.
    pub(super) lessons: Vec<(i64, i32)>,
}

/// Rows of one table.
pub(super) struct Table {
    /// Name and columns of the table.
    pub(super) columns: &'static str,
    /// One line for each row.
    pub(super) text: String,
}

impl Table {
    fn new(columns: &'static str) -> Self {
        Self { columns, text: String::new() }
    }
}

/// The rows of several learners.
pub(super) struct Batch {
    pub(super) accounts: Table,
    /// Rows of inventory, marks and progress.
    pub(super) marks: [Table; 5],
    pub(super) watch: Table,
    pub(super) emails: Vec<String>,
}

/// Creates different learners, always the same for a number.
pub(super) struct Learners {
    hash: String,
    courses: Vec<Course>,
    each: PerLearner,
    now: i64,
    prefix: String,
    /// Timestamps by days ago, from `MIN_DAYS_AGO`. They are formatted once and used millions of times.
    moments: Vec<String>,
}

impl Learners {
    /// All learners get the password of `hash`. `now` is in seconds since 1970.
    pub(super) fn new(hash: String, courses: Vec<Course>, each: PerLearner, now: f64) -> Outcome<Self> {
        let PerLearner { owned, watched } = each;
        let lessons: usize = courses.iter().take(owned).map(|course| course.lessons.len()).sum();
        if courses.len() < owned || lessons < watched {
            return fail(format!(
                "there are {} courses, and {owned} with {watched} lessons are needed: run cargo dev up",
                courses.len()
            ));
        }
        // The last random bits of the id (RFC 9562 §6.2) are replaced by a counter, in decimal so that SQL
        // can compute it.
        let id = uuid::Uuid::now_v7().to_string();
        #[expect(clippy::cast_possible_truncation, reason = "whole seconds are wanted")]
        let now = now as i64;
        let moments = (MIN_DAYS_AGO..=OLDEST).map(|days| moment(now - days * DAY)).collect::<Outcome<_>>()?;
        Ok(Self { hash, courses, each, now, prefix: id[..24].to_owned(), moments })
    }

    /// The first 24 characters of all ids.
    pub(super) fn id_prefix(&self) -> &str {
        &self.prefix
    }

    /// Creates the learners of these numbers.
    pub(super) fn batch(&self, numbers: RangeInclusive<u32>) -> Batch {
        let mut batch = Batch {
            accounts: Table::new(
                "account (id, email, email_key, password_hash, scope, last_name, first_name, last_name_kana, \
                 first_name_kana, birth_date, created)",
            ),
            marks: [
                Table::new(
                    "inventory (learner_id, course_id, product_id, created, modified, expire_at, is_auto_renewal)",
                ),
                Table::new("bookmark (learner_id, course_id, created)"),
                Table::new("favorite (learner_id, lesson_id, created)"),
                Table::new("lesson_check (learner_id, lesson_id, created)"),
                Table::new(
                    "progress (learner_id, course_id, check_count, completed_at, opened_at, last_watched_at)",
                ),
            ],
            watch: Table::new(
                "watch (learner_id, lesson_id, position, furthest, coverage, covered, times, first_seen, last_seen, \
                 sequence)",
            ),
            emails: Vec::new(),
        };
        for number in numbers {
            self.learner(number, &mut batch);
        }
        batch
    }

    fn learner(&self, number: u32, batch: &mut Batch) {
        let id = format!("{}{number:012}", self.prefix);
        let email = format!("learner{number}-{}@fill.example", self.prefix.replace('-', ""));
        let hash = &self.hash;
        let joined = self.ago(i64::from(number % 300) + 60);
        line(
            &mut batch.accounts,
            format_args!(
                "{id}\t{email}\t{email}\t{hash}\t{{learner}}\t学習\t花子{number}\tガクシュウ\tハナコ\t2010-04-02\t{joined}"
            ),
        );
        batch.emails.push(email);

        let start = number as usize % self.courses.len();
        let owned: Vec<&Course> = self.courses.iter().cycle().skip(start).take(self.each.owned).collect();
        let [inventory, bookmark, favorite, check, progress] = &mut batch.marks;
        let last = i64::try_from(owned.len()).unwrap_or_default() - 1;
        for (place, course) in (0..).zip(&owned) {
            let created = self.ago(20 + place * 9 + i64::from(number % 7));
            // The last item has expired.
            let end = if place == last { self.ago(3) } else { self.ago(-200 - place) };
            let product = 1_000 + course.id;
            line(inventory, format_args!("{id}\t{}\t{product}\t{created}\t{created}\t{end}\tf", course.id));
        }
        for (place, course) in (1..).zip(self.courses.iter().cycle().skip(start).take(BOOKMARKS)) {
            line(bookmark, format_args!("{id}\t{}\t{}", course.id, self.ago(place)));
        }

        let lessons =
            || owned.iter().flat_map(|course| course.lessons.iter().map(|lesson| (course.id, *lesson)));
        for (place, (_, (lesson, _))) in (1..).zip(lessons().step_by(3).take(FAVORITES)) {
            line(favorite, format_args!("{id}\t{lesson}\t{}", self.ago(place)));
        }
        let mut amounts: BTreeMap<i64, Progress> = BTreeMap::new();
        for (place, (course, (lesson, _))) in (1..).zip(lessons().take(CHECKS)) {
            let days = 40 - place;
            line(check, format_args!("{id}\t{lesson}\t{}", self.ago(days)));
            let amount = amounts.entry(course).or_default();
            amount.checked += 1;
            amount.last_check = days;
        }
        let oldest = i64::try_from(self.each.watched).unwrap_or_default() + 5;
        for (place, (course, (lesson, seconds))) in (1..).zip(lessons().take(self.each.watched)) {
            let days = oldest - place;
            // Half of each lesson without a check is watched.
            let seen = if place <= LAST_CHECK { seconds } else { seconds / 2 / CELL * CELL };
            let (first, last) = (self.ago(days + 1), self.ago(days));
            let sequence = (self.now - days * DAY) * 1_000;
            let coverage = coverage(seen);
            line(
                &mut batch.watch,
                format_args!(
                    "{id}\t{lesson}\t{seen}\t{seen}\t\\\\x{coverage}\t{seen}\t2\t{first}\t{last}\t{sequence}"
                ),
            );
            let amount = amounts.entry(course).or_default();
            amount.opened = amount.opened.or(Some(days + 1));
            amount.watched = Some(days);
        }
        for (course, amount) in amounts {
            let lessons =
                owned.iter().find(|owned| owned.id == course).map_or(0, |course| course.lessons.len());
            let or_null = |days: Option<i64>| days.map_or("\\N", |days| self.ago(days));
            let completed = or_null((amount.checked == lessons).then_some(amount.last_check));
            let (opened, watched) = (or_null(amount.opened), or_null(amount.watched));
            line(
                progress,
                format_args!("{id}\t{course}\t{}\t{completed}\t{opened}\t{watched}", amount.checked),
            );
        }
    }

    /// Timestamp of this many days ago, from `MIN_DAYS_AGO` to `OLDEST`.
    fn ago(&self, days: i64) -> &str {
        &self.moments[usize::try_from(days - MIN_DAYS_AGO).unwrap_or(0)]
    }
}

fn moment(seconds: i64) -> Outcome<String> {
    Ok(OffsetDateTime::from_unix_timestamp(seconds)?.format(&Rfc3339)?)
}

/// Progress in a course, computed from checks and watch rows. Timestamps are in days ago.
#[derive(Default)]
struct Progress {
    checked: usize,
    last_check: i64,
    opened: Option<i64>,
    watched: Option<i64>,
}

/// Coverage of the first `seconds` of a lesson in hexadecimal: one bit for each cell, lowest bit first.
fn coverage(seconds: i32) -> String {
    let cells = usize::try_from((seconds + CELL - 1) / CELL).unwrap_or(0);
    let mut hex = "ff".repeat(cells / 8);
    if cells % 8 > 0 {
        let _ = write!(hex, "{:02x}", (1_u16 << (cells % 8)) - 1);
    }
    hex
}

fn line(table: &mut Table, row: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(table.text, "{row}");
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::USUAL;
    use super::*;

    fn learners(each: PerLearner) -> Learners {
        let course =
            |id: i64| Course { id, lessons: (0..18).map(|lesson| (id * 1000 + lesson, 303)).collect() };
        Learners::new("$argon2id$x".into(), (101..=112).map(course).collect(), each, 1_795_000_000.0)
            .expect("the catalogue is large enough")
    }

    fn count(table: &Table) -> usize {
        table.text.lines().count()
    }

    #[test]
    fn a_learner_has_the_documented_amount_of_data() {
        let batch = learners(USUAL).batch(1..=2);
        assert_eq!(count(&batch.accounts), 2);
        let marks = batch.marks.each_ref().map(count);
        assert_eq!(marks[..4], [2 * USUAL.owned, 2 * BOOKMARKS, 2 * FAVORITES, 2 * CHECKS]);
        assert_eq!(count(&batch.watch), 2 * USUAL.watched);
        assert_eq!(batch.emails.len(), 2);
        assert_ne!(batch.emails[0], batch.emails[1]);
    }

    #[test]
    fn a_history_covers_all_owned_courses_and_no_future_time() {
        let batch = learners(PerLearner { owned: 12, watched: 216 }).batch(1..=1);
        let rows: Vec<Vec<&str>> = batch.watch.text.lines().map(|line| line.split('\t').collect()).collect();
        let lessons: BTreeSet<&str> = rows.iter().map(|row| row[1]).collect();
        assert_eq!((rows.len(), lessons.len(), count(&batch.marks[4])), (216, 216, 12));
        let now = moment(1_795_000_000).expect("the time is valid");
        assert!(rows.iter().all(|row| row[7] < row[8] && row[8] < now.as_str()));
    }

    #[test]
    fn progress_matches_the_checks() {
        let learners = learners(USUAL);
        let batch = learners.batch(12..=12);
        let rows: Vec<Vec<&str>> =
            batch.marks[4].text.lines().map(|line| line.split('\t').collect()).collect();
        // 18 checks in the first course and 12 in the second, both watched to the end; four lessons of the
        // third are half watched.
        assert_eq!(
            rows.iter().map(|row| (row[1], row[2])).collect::<Vec<_>>(),
            [("101", "18"), ("102", "12"), ("103", "0")]
        );
        assert_ne!(rows[0][3], "\\N");
        assert_eq!(rows[1][3], "\\N");
        assert!(rows.iter().all(|row| row[4] != "\\N" && row[5] != "\\N"));
    }

    #[test]
    fn ids_are_of_version_7_and_counted_in_decimal() {
        let learners = learners(USUAL);
        let batch = learners.batch(999_999..=1_000_000);
        for (line, end) in batch.accounts.text.lines().zip(["000000999999", "000001000000"]) {
            let id: uuid::Uuid = line.split('\t').next().and_then(|id| id.parse().ok()).expect("an id");
            assert_eq!(id.get_version_num(), 7);
            assert!(id.to_string().ends_with(end));
        }
    }

    #[test]
    fn coverage_is_a_bit_for_every_five_seconds() {
        assert_eq!(coverage(0), "");
        assert_eq!(coverage(5), "01");
        assert_eq!(coverage(40), "ff");
        assert_eq!(coverage(41), "ff01");
    }
}
