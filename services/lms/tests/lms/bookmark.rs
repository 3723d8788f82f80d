use proto::lms::{ClearBookmarkRequest, ListBookmarksRequest, ListBookmarksResponse, SetBookmarkRequest};
use time::Duration;
use tonic::Status;
use uuid::Uuid;

use crate::school::{COURSE, Folder, LESSONS, RULES, School, learner, refusal};

async fn set(school: &School, learner: Uuid, course_id: i64) -> Result<(), Status> {
    let request = SetBookmarkRequest { course_id, ..Default::default() };
    school.marks(learner).set_bookmark(request).await.map(drop)
}

async fn clear(school: &School, learner: Uuid, course_id: i64) {
    let request = ClearBookmarkRequest { course_id, ..Default::default() };
    school.marks(learner).clear_bookmark(request).await.unwrap();
}

async fn list(school: &School, learner: Uuid, page: u32) -> Result<ListBookmarksResponse, Status> {
    let request = ListBookmarksRequest { page, ..Default::default() };
    school.marks(learner).list_bookmarks(request).await.map(tonic::Response::into_inner)
}

fn ids(page: &ListBookmarksResponse) -> Vec<i64> {
    page.bookmarks.iter().map(|bookmark| bookmark.course.as_ref().unwrap().id).collect()
}

#[tokio::test]
async fn any_course_can_be_bookmarked_and_removed_repeatedly() {
    let school = School::open().await;
    let learner = learner();
    for course in [COURSE, 102, COURSE] {
        set(&school, learner, course).await.unwrap();
        school.clock.advance(Duration::SECOND);
    }
    let page = list(&school, learner, 1).await.unwrap();
    assert_eq!(ids(&page), [102, COURSE], "setting it again does not make it newer");
    assert_eq!(page.bookmarks[0].course, school.course(102).await.summary);
    for _ in 0..2 {
        clear(&school, learner, 102).await;
        assert_eq!(ids(&list(&school, learner, 1).await.unwrap()), [COURSE]);
    }
}

#[tokio::test]
async fn an_unknown_course_cannot_be_bookmarked() {
    let school = School::open().await;
    assert_eq!(refusal(set(&school, learner(), 999).await), "NotFound NOT_FOUND");
}

#[tokio::test]
async fn a_bookmark_is_checked_once_every_lesson_of_its_course_is_checked() {
    let school = School::open().await;
    let learner = learner();
    school.grant(learner, COURSE).await;
    set(&school, learner, COURSE).await.unwrap();
    for (lesson, is_check) in LESSONS.into_iter().zip([false, false, true]) {
        school.check_lesson(learner, lesson).await.unwrap();
        assert_eq!(list(&school, learner, 1).await.unwrap().bookmarks[0].is_check, is_check);
    }
    school.uncheck_lesson(learner, LESSONS[0]).await;
    assert!(!list(&school, learner, 1).await.unwrap().bookmarks[0].is_check);
}

#[tokio::test]
async fn the_501st_bookmark_is_refused_and_a_page_has_twenty() {
    let folder = Folder::new();
    for id in 1..=501 {
        folder.course(id, 1);
    }
    let school = School::with(folder, RULES).await;
    let learner = learner();
    sqlx::query!("INSERT INTO bookmark SELECT $1, id, now() FROM generate_series(1, 499) AS id", learner)
        .execute(&mut *school.database.pool.acquire().await.unwrap())
        .await
        .unwrap();
    set(&school, learner, 500).await.unwrap();
    assert_eq!(refusal(set(&school, learner, 501).await), "Conflict MARK_LIMIT");
    set(&school, learner, 500).await.unwrap();
    let last = list(&school, learner, 25).await.unwrap();
    assert_eq!((last.count, last.bookmarks.len()), (500, 20));
    assert_eq!(refusal(list(&school, learner, 26).await), "NotFound NOT_FOUND");
    clear(&school, learner, 1).await;
    set(&school, learner, 501).await.unwrap();
    assert_eq!(list(&school, learner, 1).await.unwrap().count, 500);
}
