use kit::error::Code;
use proto::lms::{
    ClearFavoriteRequest, LessonRef, ListFavoritesRequest, ListFavoritesResponse, SetFavoriteRequest,
};
use time::Duration;
use tonic::Status;
use uuid::Uuid;

use crate::school::{COURSE, Folder, LESSON, LESSONS, NOON, RULES, School, learner, refusal};

async fn set(school: &School, learner: Uuid, lesson_id: i64) -> Result<(), Status> {
    let request = SetFavoriteRequest { lesson_id, ..Default::default() };
    school.marks(learner).set_favorite(request).await.map(drop)
}

async fn clear(school: &School, learner: Uuid, lesson_id: i64) {
    let request = ClearFavoriteRequest { lesson_id, ..Default::default() };
    school.marks(learner).clear_favorite(request).await.unwrap();
}

async fn list(
    school: &School,
    learner: Uuid,
    page: u32,
    course_id: Option<i64>,
) -> Result<ListFavoritesResponse, Status> {
    let request = ListFavoritesRequest { page, course_id, ..Default::default() };
    school.marks(learner).list_favorites(request).await.map(tonic::Response::into_inner)
}

fn ids(page: &ListFavoritesResponse) -> Vec<i64> {
    let lessons = page.favorites.iter().map(|mark| mark.lesson.as_ref().unwrap());
    lessons.map(|lesson| lesson.lesson.as_ref().unwrap().id).collect()
}

#[tokio::test]
async fn favorites_are_listed_newest_first_with_the_path_of_their_lesson() {
    let school = School::open().await;
    let learner = learner();
    school.grant(learner, COURSE).await;
    for lesson in [LESSON, LESSON + 1, LESSON] {
        set(&school, learner, lesson).await.unwrap();
        school.clock.advance(Duration::SECOND);
    }
    let page = list(&school, learner, 1, None).await.unwrap();
    assert_eq!((page.count, ids(&page)), (2, vec![LESSON + 1, LESSON]));
    let course = school.course(COURSE).await;
    let expected = LessonRef {
        lesson: Some(course.chapters[0].units[0].lessons[1].clone()),
        unit_id: 1_010_101,
        unit_name: "単元1".into(),
        chapter_id: 10_101,
        chapter_name: "第1章".into(),
        course_id: COURSE,
        course_name: "講座101".into(),
    };
    assert_eq!(page.favorites[0].lesson, Some(expected));
    for _ in 0..2 {
        clear(&school, learner, LESSON).await;
        assert_eq!(ids(&list(&school, learner, 1, None).await.unwrap()), [LESSON + 1]);
    }
}

#[tokio::test]
async fn favorites_can_be_listed_for_one_course() {
    let school = School::open().await;
    let learner = learner();
    for course in [COURSE, 102] {
        school.grant(learner, course).await;
        set(&school, learner, course * 1_000_000 + 10_101).await.unwrap();
    }
    let page = list(&school, learner, 1, Some(102)).await.unwrap();
    assert_eq!((page.count, ids(&page)), (1, vec![102_010_101]));
    assert_eq!(list(&school, learner, 1, Some(999)).await.unwrap(), ListFavoritesResponse::default());
}

#[tokio::test]
async fn only_lessons_of_owned_or_expired_courses_can_be_favorites() {
    let school = School::open().await;
    let learner = learner();
    school.grant_until(learner, COURSE, Some(NOON - Duration::DAY)).await;
    set(&school, learner, LESSON).await.unwrap();
    for stranger in [102_010_101, 101_010_104, 0] {
        assert_eq!(refusal(set(&school, learner, stranger).await), "NotFound NOT_FOUND", "{stranger}");
    }
}

#[tokio::test]
async fn the_501st_favorite_is_refused_and_twenty_one_fill_two_pages() {
    let folder = Folder::new();
    folder.course(COURSE, 501);
    let school = School::with(folder, RULES).await;
    let learner = learner();
    school.grant(learner, COURSE).await;
    for lesson in 0..21 {
        set(&school, learner, LESSON + lesson).await.unwrap();
    }
    assert_eq!(list(&school, learner, 2, None).await.unwrap().favorites.len(), 1);
    assert_eq!(refusal(list(&school, learner, 3, None).await), "NotFound NOT_FOUND");
    sqlx::query!(
        "INSERT INTO favorite SELECT $1, id, now() FROM lesson ORDER BY id LIMIT 500 ON CONFLICT DO NOTHING",
        learner,
    )
    .execute(&mut *school.database.pool.acquire().await.unwrap())
    .await
    .unwrap();
    // The 501st lesson is the sixth of the sixth unit.
    assert_eq!(refusal(set(&school, learner, 101_010_606).await), "Conflict MARK_LIMIT");
    set(&school, learner, LESSON).await.unwrap();
    assert_eq!(list(&school, learner, 1, None).await.unwrap().count, 500);
}

#[tokio::test]
async fn many_at_once_never_go_over_the_limit() {
    let school = School::with_rules(lms::config::Rules { mark_limit: 4, ..RULES }).await;
    let learner = learner();
    school.grant(learner, COURSE).await;
    school.grant(learner, 102).await;
    let lessons = LESSONS.into_iter().chain(LESSONS.map(|lesson| lesson + 1_000_000));
    let answers = futures_util::future::join_all(lessons.map(|lesson| set(&school, learner, lesson))).await;
    let refused = answers.iter().filter(|answer| {
        answer.as_ref().is_err_and(|status| Code::from_grpc(status.code()) == Code::Conflict)
    });
    assert_eq!((answers.iter().filter(|answer| answer.is_ok()).count(), refused.count()), (4, 2));
    assert_eq!(list(&school, learner, 1, None).await.unwrap().count, 4);
}
