//! The rows of `learner_inventory` agree with `inventory`, `progress` and `course` after every kind
//! of write.

use kit::test::Random;
use kit_db::Pool;
use proto::lms::{
    EntitlementExtended, EntitlementGranted, EntitlementRevoked, EntitlementSource, EntitlementSourceKind,
    InventoryItem, ListInventoryResponse,
};
use sqlx::{AssertSqlSafe, Executor as _};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::entitlement::timestamp;
use crate::school::{COURSE, Folder, LESSON, NOON, RULES, School, learner, refusal};
use crate::watch::beat;

/// Courses with few lessons, so that some become complete.
const COURSES: [i64; 4] = [101, 102, 103, 104];
const LESSONS_EACH: i64 = 2;

/// Computes a page from the tables.
async fn expected_page(
    school: &School,
    learner: Uuid,
    page: u32,
    by_watch_history: bool,
) -> Option<ListInventoryResponse> {
    let mut connection = school.database.pool.acquire().await.unwrap();
    let offset = i64::from(page - 1) * 12;
    let rows = sqlx::query_file!(
        "../bench/src/measurement/inventory_page.sql",
        learner,
        12_i64,
        offset,
        by_watch_history
    )
    .fetch_all(&mut *connection)
    .await
    .unwrap();
    if rows.is_empty() && page > 1 {
        return None;
    }
    let now = school.clock.clock().now();
    Some(ListInventoryResponse {
        count: rows.first().map_or(0, |row| row.count.try_into().unwrap()),
        complete_count: rows.first().map_or(0, |row| row.complete_count.try_into().unwrap()),
        items: rows
            .into_iter()
            .map(|row| InventoryItem {
                id: row.id,
                course_id: row.course_id,
                course_revision: row.course_revision,
                created: Some(timestamp(row.created)),
                modified: Some(timestamp(row.modified)),
                expire_at: row.expire_at.map(timestamp),
                is_expired: row.expire_at.is_some_and(|end| end <= now),
                is_auto_renewal: row.is_auto_renewal,
                is_new: row.opened_at.is_none() && now - row.created < RULES.new_for,
                product_id: row.product_id,
                check_count: row.check_count.unwrap_or_default(),
                completed_at: row.completed_at.map(timestamp),
                former: Vec::new(),
            })
            .collect(),
        state_counts: None,
    })
}

/// Compares every page and every item of the learner with the tables.
async fn assert_right(school: &School, learner: Uuid, after: &str) {
    for by_watch_history in [false, true] {
        for page in 1.. {
            let wanted = expected_page(school, learner, page, by_watch_history).await;
            let answer = school.page(learner, page, by_watch_history).await;
            let Some(wanted) = wanted else {
                assert_eq!(refusal(answer), "NotFound NOT_FOUND", "page {page} after {after}");
                break;
            };
            assert_eq!(answer.unwrap(), wanted, "page {page} after {after}");
            for item in wanted.items {
                assert_eq!(school.item(learner, item.id).await.unwrap(), item, "item after {after}");
            }
        }
    }
}

async fn execute(pool: &Pool, sql: String) {
    pool.acquire().await.unwrap().execute(sqlx::raw_sql(AssertSqlSafe(sql))).await.unwrap();
}

fn folder() -> Folder {
    let folder = Folder::new();
    for course in COURSES {
        folder.course(course, LESSONS_EACH);
    }
    folder
}

/// Makes random writes to inventories.
struct Writer<'a> {
    school: &'a School,
    learners: [Uuid; 2],
    /// All sources so far: learner and id.
    sources: Vec<(Uuid, String)>,
    /// The number of lessons of each course.
    lessons: i64,
    random: Random,
}

impl Writer<'_> {
    fn learner(&mut self) -> Uuid {
        self.learners[usize::try_from(self.random.below(2)).unwrap()]
    }

    fn course(&mut self) -> i64 {
        *self.random.pick(&[&COURSES[0], &COURSES[1], &COURSES[2], &COURSES[3]])
    }

    fn lesson(&mut self) -> i64 {
        let place = self.random.below(self.lessons.cast_unsigned()).cast_signed();
        self.course() * 1_000_000 + 10_101 + place
    }

    /// A past or future end, or none.
    fn end(&mut self) -> Option<OffsetDateTime> {
        let hours = self.random.within(-20, 40);
        (hours < 20).then(|| NOON + Duration::hours(hours.into()))
    }

    fn source(&mut self) -> (Uuid, String) {
        match self.random.below(self.sources.len() as u64 + 1) {
            // A source that is not granted yet.
            0 => {
                let source = (self.learner(), Uuid::now_v7().to_string());
                self.sources.push(source.clone());
                source
            }
            place => self.sources[usize::try_from(place - 1).unwrap()].clone(),
        }
    }

    /// Makes one write of this release or of an older one that does not know the table. Returns its
    /// description.
    async fn write(&mut self) -> String {
        let school = self.school;
        let now = school.clock.clock().now();
        let (learner, course, lesson) = (self.learner(), self.course(), self.lesson());
        let kind = self.random.below(16);
        match kind {
            0..=2 => {
                let (learner, id) = self.source();
                let grant = EntitlementGranted {
                    source: Some(order_line(&id)),
                    learner_id: learner.to_string(),
                    course_id: course,
                    product_id: 1000 + course,
                    granted_at: Some(timestamp(now)),
                    expire_at: self.end().map(timestamp),
                    is_auto_renewal: self.random.below(2) == 0,
                };
                school.sell(&grant).await.unwrap();
                format!("a grant of {course}")
            }
            3 => {
                let (learner, id) = self.source();
                let extension = EntitlementExtended {
                    source: Some(order_line(&id)),
                    learner_id: learner.to_string(),
                    extended_at: Some(timestamp(now)),
                    expire_at: self.end().map(timestamp),
                };
                school.sell(&extension).await.unwrap();
                "an extension".to_owned()
            }
            4 => {
                let (learner, id) = self.source();
                let revocation = EntitlementRevoked {
                    source: Some(order_line(&id)),
                    learner_id: learner.to_string(),
                    revoked_at: Some(timestamp(now)),
                };
                school.sell(&revocation).await.unwrap();
                "a revocation".to_owned()
            }
            5..=7 => {
                // Refused if the learner does not own the course.
                let _ = school.check_lesson(learner, lesson).await;
                format!("a check of {lesson}")
            }
            8 => {
                school.uncheck_lesson(learner, lesson).await;
                format!("a removed check of {lesson}")
            }
            9..=11 => {
                let from = u32::try_from(self.random.below(60)).unwrap();
                let sequence = now.unix_timestamp() * 1000;
                let _ = beat(school, learner, lesson, from, from..from + 40, sequence).await;
                format!("a heartbeat of {lesson}")
            }
            12 => self.import().await,
            13 => {
                let event = Uuid::now_v7();
                if self.random.below(4) == 0 {
                    school.erase(event, learner).await;
                    self.sources.retain(|(other, _)| *other != learner);
                }
                "an erasure".to_owned()
            }
            _ => self.write_as_an_older_release(learner, course).await,
        }
    }

    async fn import(&mut self) -> String {
        match self.random.below(3) {
            0 => {
                self.lessons += 1;
                for course in COURSES {
                    self.school.folder.course(course, self.lessons);
                }
            }
            1 => self.school.folder.course(self.course(), self.lessons),
            _ => {
                let file = format!("courses/{}.yaml", self.course());
                let name = format!("別の要約{}\n", self.random.below(1000));
                self.school.folder.course(self.course(), self.lessons);
                self.school.folder.edit(&file, "一行の要約\n", &name);
            }
        }
        self.school.import().await.unwrap();
        "an import".to_owned()
    }

    async fn write_as_an_older_release(&mut self, learner: Uuid, course: i64) -> String {
        let now = self.school.clock.clock().now().unix_timestamp();
        let sql = match self.random.below(7) {
            0 => format!(
                "INSERT INTO inventory
                     (learner_id, course_id, product_id, created, modified, expire_at, is_auto_renewal)
                 VALUES ('{learner}', {course}, 7, to_timestamp({now}), to_timestamp({now}), NULL, true)"
            ),
            1 => format!(
                "UPDATE inventory SET expire_at = to_timestamp({now}), modified = to_timestamp({now})
                 WHERE learner_id = '{learner}' AND course_id = {course}"
            ),
            2 => format!(
                "INSERT INTO progress (learner_id, course_id, opened_at, last_watched_at)
                 VALUES ('{learner}', {course}, to_timestamp({now}), to_timestamp({now}))
                 ON CONFLICT (learner_id, course_id) DO UPDATE SET
                     opened_at = coalesce(progress.opened_at, excluded.opened_at),
                     last_watched_at = greatest(progress.last_watched_at, excluded.last_watched_at)"
            ),
            3 => format!(
                "INSERT INTO progress (learner_id, course_id, check_count, completed_at)
                 VALUES ('{learner}', {course}, 1, to_timestamp({now}))
                 ON CONFLICT (learner_id, course_id) DO UPDATE SET
                     check_count = progress.check_count + 1, completed_at = to_timestamp({now})"
            ),
            4 => format!("DELETE FROM progress WHERE learner_id = '{learner}' AND course_id = {course}"),
            5 => format!(
                "UPDATE progress SET last_watched_at = NULL, check_count = 0, completed_at = NULL
                 WHERE learner_id = '{learner}' AND course_id = {course}"
            ),
            // Deletes rows as an erasure does.
            _ if self.random.below(3) == 0 => format!(
                "DELETE FROM entitlement_source WHERE learner_id = '{learner}';
                 DELETE FROM inventory WHERE learner_id = '{learner}';
                 DELETE FROM lesson_check WHERE learner_id = '{learner}';
                 DELETE FROM progress WHERE learner_id = '{learner}'"
            ),
            _ => format!("UPDATE course SET revision = revision + 1 WHERE id = {course}"),
        };
        execute(&self.school.database.pool, sql.clone()).await;
        sql
    }
}

fn order_line(id: &str) -> EntitlementSource {
    EntitlementSource { kind: EntitlementSourceKind::OrderLine.into(), id: id.to_owned() }
}

#[tokio::test]
async fn pages_and_items_agree_with_the_tables_after_random_writes() {
    for seed in 0..4 {
        let school = School::with(folder(), RULES).await;
        let random = Random::new(seed);
        let learners = [learner(), learner()];
        let mut writer =
            Writer { school: &school, learners, sources: Vec::new(), lessons: LESSONS_EACH, random };
        for step in 0..100 {
            let after = writer.write().await;
            for learner in learners {
                assert_right(&school, learner, &format!("step {step} of seed {seed}, {after}")).await;
            }
            // The step is often 0, so that times are equal.
            school.clock.advance(Duration::minutes(writer.random.below(3).cast_signed() * 90));
        }
        let mut connection = school.database.pool.acquire().await.unwrap();
        let ownerless = sqlx::query_scalar!(
            r#"
            SELECT count(*) AS "count!"
            FROM learner_inventory
            WHERE NOT EXISTS (SELECT FROM inventory WHERE inventory.learner_id = learner_inventory.learner_id)
            "#
        );
        assert_eq!(ownerless.fetch_one(&mut *connection).await.unwrap(), 0, "seed {seed}");
    }
}

#[tokio::test]
async fn a_heartbeat_in_the_last_watched_course_does_not_write_the_row() {
    let school = School::open().await;
    let learner = learner();
    school.grant(learner, COURSE).await;
    school.grant(learner, 102).await;
    let stored = async || {
        let mut connection = school.database.pool.acquire().await.unwrap();
        sqlx::query_scalar!(
            r#"SELECT xmin::text AS "xmin!" FROM learner_inventory WHERE learner_id = $1"#,
            learner,
        )
        .fetch_one(&mut *connection)
        .await
        .unwrap()
    };
    beat(&school, learner, 102_010_101, 0, 0..10, 1).await.unwrap();
    school.clock.advance(Duration::MINUTE);
    beat(&school, learner, LESSON, 0, 0..10, 1).await.unwrap();
    let before = stored().await;
    school.clock.advance(Duration::MINUTE);
    beat(&school, learner, LESSON, 10, 10..20, 2).await.unwrap();
    assert_eq!(stored().await, before);
    school.clock.advance(Duration::MINUTE);
    beat(&school, learner, 102_010_101, 10, 10..20, 2).await.unwrap();
    assert_ne!(stored().await, before, "another course is the last watched one");
}

#[tokio::test]
async fn concurrent_writes_of_one_learner_are_all_in_the_row() {
    let school = School::with(folder(), RULES).await;
    let learner = learner();
    school.grant(learner, COURSE).await;
    // Writes without the learner's lock, as a manual repair does.
    let writes = (0..16).map(|number| {
        let sql = format!(
            "BEGIN;
             INSERT INTO inventory
                 (learner_id, course_id, product_id, created, modified, expire_at, is_auto_renewal)
             VALUES ('{learner}', 102, {number}, '2026-11-20', '2026-11-20', NULL, true);
             SELECT pg_sleep(0.02);
             COMMIT"
        );
        execute(&school.database.pool, sql)
    });
    futures_util::future::join_all(writes).await;
    assert_right(&school, learner, "16 inserts").await;
}

#[tokio::test]
async fn the_migration_computes_the_rows_of_existing_learners() {
    let school = School::with(folder(), RULES).await;
    let pool = &school.database.pool;
    // More learners than fit in one batch of the migration.
    let before = "
        INSERT INTO inventory (learner_id, course_id, product_id, created, modified, expire_at, is_auto_renewal)
        SELECT md5(learner::text)::uuid, 101 + course, learner, '2026-11-20', '2026-11-20', NULL, false
        FROM generate_series(1, 2500) AS learner, generate_series(0, 1) AS course;
        CREATE TABLE expected AS TABLE learner_inventory;
        DELETE FROM learner_inventory";
    execute(pool, before.to_owned()).await;
    execute(pool, include_str!("../../migrations/0023_learner_inventory_rows.sql").to_owned()).await;
    let compare = "
        DO $$
        BEGIN
            ASSERT (SELECT count(*) = 2500 FROM learner_inventory), 'not all learners have a row';
            ASSERT NOT EXISTS (TABLE expected EXCEPT TABLE learner_inventory), 'a row differs';
        END
        $$";
    execute(pool, compare.to_owned()).await;
}
