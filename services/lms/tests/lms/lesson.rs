use proto::lms::{
    FindLessonCoursesRequest, GetLessonRequest, GetLessonResponse, LessonCourse, LessonWatch,
    SetFavoriteRequest,
};
use time::Duration;
use tonic::Status;
use uuid::Uuid;

use crate::school::{COURSE, LESSON, NOON, School, learner, refusal};
use crate::watch::beat;

async fn get_lesson(school: &School, learner: Uuid, lesson_id: i64) -> Result<GetLessonResponse, Status> {
    let request = GetLessonRequest { lesson_id, ..Default::default() };
    school.lessons(learner).get_lesson(request).await.map(tonic::Response::into_inner)
}

#[tokio::test]
async fn a_lesson_has_its_path_and_its_neighbours() {
    let school = School::open().await;
    let learner = learner();
    let item = school.grant(learner, COURSE).await;
    let mut neighbours = Vec::new();
    for (lesson, number) in (LESSON..).zip(1..=3) {
        let shown = get_lesson(&school, learner, lesson).await.unwrap();
        assert_eq!((shown.number, shown.lesson_count), (number, 3));
        assert_eq!((shown.inventory_id, shown.product_id), (item, 1101));
        assert!(!shown.is_expired && !shown.has_video && shown.watch.is_none());
        let way = shown.lesson.unwrap();
        assert_eq!(
            (way.unit_name, way.chapter_name, way.course_id),
            ("単元1".into(), "第1章".into(), COURSE)
        );
        assert_eq!(way.lesson.unwrap().duration, 100 * number);
        neighbours.push((shown.previous.map(|lesson| lesson.id), shown.next.map(|lesson| lesson.id)));
    }
    assert_eq!(
        neighbours,
        [(None, Some(LESSON + 1)), (Some(LESSON), Some(LESSON + 2)), (Some(LESSON + 1), None)]
    );
}

#[tokio::test]
async fn a_lesson_has_the_learners_marks_and_watch_history() {
    let school = School::open().await;
    let learner = learner();
    school.grant(learner, COURSE).await;
    let favorite = SetFavoriteRequest { lesson_id: LESSON, ..Default::default() };
    school.marks(learner).set_favorite(favorite).await.unwrap();
    school.check_lesson(learner, LESSON).await.unwrap();
    beat(&school, learner, LESSON, 40, 0..50, 1).await.unwrap();
    let shown = get_lesson(&school, learner, LESSON).await.unwrap();
    assert!(shown.is_favorite && shown.is_check);
    let LessonWatch { position, furthest, covered, times, last_seen } = shown.watch.unwrap();
    assert_eq!((position, furthest, covered, times), (40, 50, 50, 1));
    assert_eq!(last_seen.unwrap().seconds, NOON.unix_timestamp());
    let other = get_lesson(&school, learner, LESSON + 1).await.unwrap();
    assert!(!other.is_favorite && !other.is_check && other.watch.is_none());
}

#[tokio::test]
async fn a_lesson_is_shown_to_learners_who_own_or_owned_it() {
    let school = School::open().await;
    let learner = learner();
    assert_eq!(refusal(get_lesson(&school, learner, LESSON).await), "NotFound NOT_FOUND");
    let end = NOON + Duration::DAY;
    let first = school.grant_until(learner, COURSE, Some(end)).await;
    assert_eq!(refusal(get_lesson(&school, learner, 102_010_101).await), "NotFound NOT_FOUND");
    assert_eq!(refusal(get_lesson(&school, learner, 0).await), "NotFound NOT_FOUND");
    school.clock.advance(Duration::DAY - Duration::SECOND);
    assert!(!get_lesson(&school, learner, LESSON).await.unwrap().is_expired);
    school.clock.advance(Duration::SECOND);
    let expired = get_lesson(&school, learner, LESSON).await.unwrap();
    assert!(expired.is_expired);
    assert_eq!(expired.expire_at.unwrap().seconds, end.unix_timestamp());

    let longest = school.grant_until(learner, COURSE, Some(end + Duration::WEEK)).await;
    school.grant_until(learner, COURSE, Some(end + Duration::DAY)).await;
    let renewed = get_lesson(&school, learner, LESSON).await.unwrap();
    assert_eq!((renewed.is_expired, renewed.inventory_id), (false, longest));
    let endless = school.grant(learner, COURSE).await;
    assert_ne!(endless, first);
    let endless_lesson = get_lesson(&school, learner, LESSON).await.unwrap();
    assert_eq!((endless_lesson.inventory_id, endless_lesson.expire_at), (endless, None));
}

const DURATION: &str = "duration: 100}";

#[tokio::test]
async fn marks_and_handouts_can_be_imported_and_removed() {
    let school = School::open().await;
    let learner = learner();
    school.grant(learner, COURSE).await;
    let beside = "duration: 100, video: true, marks: [{at: 0, name: はじめに}, {at: 30, name: まとめ}], \
                  handouts: [{kind: textbook, page_count: 2, pages: [{page: 1, at: 0}, {page: 2, at: 60}]}]}";
    school.folder.edit("courses/101.yaml", DURATION, beside);
    assert_eq!(school.import().await.unwrap().to_string(), "~ course 101 chapters\n= 2 as they were");
    assert!(school.import().await.unwrap().is_empty());
    let shown = get_lesson(&school, learner, LESSON).await.unwrap();
    assert!(shown.has_video);
    let marks: Vec<_> = shown.marks.iter().map(|mark| (mark.at, mark.name.as_str())).collect();
    assert_eq!(marks, [(0, "はじめに"), (30, "まとめ")]);
    let [handout] = &shown.handouts[..] else { panic!("{:?}", shown.handouts) };
    assert_eq!((handout.kind.as_str(), handout.page_count), ("textbook", 2));
    let pages: Vec<_> = handout.pages.iter().map(|page| (page.page, page.at)).collect();
    assert_eq!(pages, [(1, 0), (2, 60)]);

    school.folder.edit("courses/101.yaml", beside, DURATION);
    school.import().await.unwrap();
    let shown = get_lesson(&school, learner, LESSON).await.unwrap();
    assert!(!shown.has_video && shown.marks.is_empty() && shown.handouts.is_empty());
}

#[tokio::test]
async fn invalid_marks_and_handouts_are_faults() {
    let school = School::open().await;
    let beside = "duration: 100, marks: [{at: 100, name: a}, {at: 30, name: ' '}], handouts: [{kind: book, \
                  page_count: 1, pages: []}, {kind: textbook, page_count: 1, pages: [{page: 2, at: 0}]}, \
                  {kind: textbook, page_count: 1, pages: [{page: 1, at: 0}, {page: 1, at: 0}]}]}";
    school.folder.edit("courses/101.yaml", DURATION, beside);
    let faults = school.import().await.unwrap_err();
    let faults: Vec<&str> = faults.lines().skip(1).collect();
    assert_eq!(
        faults,
        [
            "courses/101.yaml:21: handouts: 'book' is none of textbook, whiteboard",
            "courses/101.yaml:21: handouts: 0 is not later than what stands before it",
            "courses/101.yaml:21: handouts: page 2 is not one of 1",
            "courses/101.yaml:21: handouts: textbook is there twice",
            "courses/101.yaml:21: marks: 100 is not within the lesson",
            "courses/101.yaml:21: marks: 30 is not later than what stands before it",
            "courses/101.yaml:21: marks: has no name",
        ]
    );
}

#[tokio::test]
async fn the_courses_of_lessons_are_public_and_usable_for_their_owners() {
    let school = School::open().await;
    let learner = learner();
    school.grant_until(learner, COURSE, Some(NOON + Duration::DAY)).await;
    let ids = [LESSON, 102_010_101, 9];
    let request = || FindLessonCoursesRequest { lesson_ids: ids.to_vec() };
    let usable = |lessons: &[LessonCourse]| -> Vec<_> {
        lessons.iter().map(|lesson| (lesson.lesson_id, lesson.course_id, lesson.is_usable)).collect()
    };
    let found = school.lessons(learner).find_lesson_courses(request()).await.unwrap().into_inner().lessons;
    assert_eq!(
        usable(&found),
        [(LESSON, COURSE, true), (102_010_101, 102, false)],
        "unknown ids are omitted"
    );
    assert_eq!((&*found[0].lesson_name, &*found[0].course_name), ("講義1", "講座101"));
    let public = school.edge_lessons().find_lesson_courses(request()).await.unwrap().into_inner().lessons;
    assert_eq!(usable(&public), [(LESSON, COURSE, false), (102_010_101, 102, false)]);
    school.clock.advance(Duration::DAY);
    let expired = school.lessons(learner).find_lesson_courses(request()).await.unwrap().into_inner().lessons;
    assert_eq!(usable(&expired), usable(&public));
    let many = FindLessonCoursesRequest { lesson_ids: vec![LESSON; 101] };
    assert_eq!(refusal(school.edge_lessons().find_lesson_courses(many).await), "Invalid INVALID");
}
