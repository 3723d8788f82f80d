use futures_util::future::join_all;
use proto::lms::{ListChecksRequest, ListChecksResponse};
use time::Duration;
use uuid::Uuid;

use crate::school::{COURSE, Folder, LESSON, LESSONS, NOON, RULES, School, learner, refusal};

async fn list(school: &School, learner: Uuid, course_id: Option<i64>) -> ListChecksResponse {
    let request = ListChecksRequest { page: 1, course_id, ..Default::default() };
    school.marks(learner).list_checks(request).await.unwrap().into_inner()
}

fn ids(page: &ListChecksResponse) -> Vec<i64> {
    let lessons = page.checks.iter().map(|mark| mark.lesson.as_ref().unwrap());
    lessons.map(|lesson| lesson.lesson.as_ref().unwrap().id).collect()
}

#[tokio::test]
async fn a_check_counts_once_even_if_it_is_set_or_removed_twice() {
    let school = School::open().await;
    let learner = learner();
    let item = school.grant(learner, COURSE).await;
    for _ in 0..2 {
        school.check_lesson(learner, LESSON).await.unwrap();
        assert_eq!(school.item(learner, item).await.unwrap().check_count, 1);
    }
    for _ in 0..2 {
        school.uncheck_lesson(learner, LESSON).await;
        assert_eq!(school.item(learner, item).await.unwrap().check_count, 0);
    }
}

#[tokio::test]
async fn checks_are_listed_newest_first_for_all_courses_or_one() {
    let school = School::open().await;
    let learner = learner();
    school.grant(learner, COURSE).await;
    school.grant(learner, 102).await;
    for lesson in [LESSON, 102_010_101, LESSON + 1] {
        school.check_lesson(learner, lesson).await.unwrap();
        school.clock.advance(Duration::SECOND);
    }
    assert_eq!(ids(&list(&school, learner, None).await), [LESSON + 1, 102_010_101, LESSON]);
    let one = list(&school, learner, Some(COURSE)).await;
    assert_eq!((one.count, ids(&one)), (2, vec![LESSON + 1, LESSON]));
}

#[tokio::test]
async fn only_lessons_of_owned_or_expired_courses_can_be_checked() {
    let school = School::open().await;
    let learner = learner();
    school.grant_until(learner, COURSE, Some(NOON - Duration::DAY)).await;
    school.check_lesson(learner, LESSON).await.unwrap();
    assert_eq!(refusal(school.check_lesson(learner, 102_010_101).await), "NotFound NOT_FOUND");
    assert_eq!(refusal(school.check_lesson(learner, 0).await), "NotFound NOT_FOUND");
}

#[tokio::test]
async fn a_course_is_complete_from_its_last_check_until_one_is_removed() {
    let school = School::open().await;
    let learner = learner();
    let item = school.grant(learner, COURSE).await;
    for lesson in LESSONS {
        assert_eq!(school.item(learner, item).await.unwrap().completed_at, None);
        school.clock.advance(Duration::SECOND);
        school.check_lesson(learner, lesson).await.unwrap();
    }
    let completed = school.item(learner, item).await.unwrap().completed_at;
    assert_eq!(completed.unwrap().seconds, (NOON + Duration::seconds(3)).unix_timestamp());
    school.uncheck_lesson(learner, LESSON).await;
    let after = school.item(learner, item).await.unwrap();
    assert_eq!((after.check_count, after.completed_at), (2, None));
}

#[tokio::test]
async fn lessons_added_after_the_last_check_leave_a_course_complete() {
    let school = School::open().await;
    let learner = learner();
    let item = school.grant(learner, COURSE).await;
    for lesson in LESSONS {
        school.check_lesson(learner, lesson).await.unwrap();
    }
    let completed = school.item(learner, item).await.unwrap().completed_at;
    school.folder.course(COURSE, 5);
    school.import().await.unwrap();
    school.clock.advance(Duration::DAY);
    school.check_lesson(learner, LESSON + 3).await.unwrap();
    let after = school.item(learner, item).await.unwrap();
    assert_eq!((after.check_count, after.completed_at), (4, completed));
    assert_eq!(school.page(learner, 1, true).await.unwrap().complete_count, 1);
}

#[tokio::test]
async fn sixteen_concurrent_calls_keep_the_count_exact() {
    let folder = Folder::new();
    folder.course(COURSE, 16);
    let school = School::with(folder, RULES).await;
    let learner = learner();
    let item = school.grant(learner, COURSE).await;
    let lessons = || (0..16).map(|number| LESSON + number);
    for _ in 0..4 {
        for answer in join_all(lessons().map(|lesson| school.check_lesson(learner, lesson))).await {
            answer.unwrap();
        }
        let full = school.item(learner, item).await.unwrap();
        assert_eq!((full.check_count, full.completed_at.is_some()), (16, true));
        // Half of the checks are removed and the other half set again at the same time.
        join_all(lessons().map(async |lesson| {
            if lesson % 2 == 0 {
                school.uncheck_lesson(learner, lesson).await;
            } else {
                school.check_lesson(learner, lesson).await.unwrap();
            }
        }))
        .await;
        let half = school.item(learner, item).await.unwrap();
        assert_eq!((half.check_count, half.completed_at), (8, None));
        assert_eq!(list(&school, learner, None).await.count, 8);
    }
    // Sixteen calls set and remove the check of one lesson at once. In any order, the count agrees
    // with the list.
    join_all((0..16).map(async |turn| {
        if turn % 2 == 0 {
            school.uncheck_lesson(learner, LESSON).await;
        } else {
            school.check_lesson(learner, LESSON).await.unwrap();
        }
    }))
    .await;
    let listed = list(&school, learner, None).await.count;
    assert_eq!(i64::from(school.item(learner, item).await.unwrap().check_count), i64::from(listed));
}

#[tokio::test]
async fn the_501st_check_is_refused() {
    let folder = Folder::new();
    folder.course(COURSE, 501);
    let school = School::with(folder, RULES).await;
    let learner = learner();
    school.grant(learner, COURSE).await;
    sqlx::query!("INSERT INTO lesson_check SELECT $1, id, now() FROM lesson ORDER BY id LIMIT 499", learner,)
        .execute(&mut *school.database.pool.acquire().await.unwrap())
        .await
        .unwrap();
    // The 500th and 501st lessons are the fifth and sixth of the sixth unit.
    school.check_lesson(learner, 101_010_605).await.unwrap();
    assert_eq!(refusal(school.check_lesson(learner, 101_010_606).await), "Conflict MARK_LIMIT");
    school.check_lesson(learner, 101_010_605).await.unwrap();
    assert_eq!(list(&school, learner, None).await.count, 500);
}
