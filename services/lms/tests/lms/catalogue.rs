use proto::lms::{
    Chapter, CourseSummary, GetCoursesRequest, Lesson, ListCoursesRequest, ListCoursesResponse, TeacherRef,
    Unit,
};
use tonic::Status;

use crate::school::{COURSE, Folder, LESSON, NOON, RULES, School, refusal};

async fn list(
    school: &School,
    page: u32,
    school_year: Option<&str>,
    category: Option<&str>,
) -> Result<ListCoursesResponse, Status> {
    let request = ListCoursesRequest {
        page,
        school_year: school_year.map(str::to_owned),
        category: category.map(str::to_owned),
    };
    school.catalogue().list_courses(request).await.map(tonic::Response::into_inner)
}

fn ids(page: &ListCoursesResponse) -> Vec<i64> {
    page.courses.iter().map(|course| course.id).collect()
}

fn timestamp(moment: time::OffsetDateTime) -> prost_types::Timestamp {
    prost_types::Timestamp { seconds: moment.unix_timestamp(), nanos: 0 }
}

#[tokio::test]
async fn a_course_comes_whole_and_as_it_was_written() {
    let school = School::open().await;
    let course = school.course(COURSE).await;
    let summary = CourseSummary {
        id: COURSE,
        name: "講座101".into(),
        category: "数学".into(),
        school_year: "中1".into(),
        level: "標準".into(),
        description: "一つ目の段落\n\n二つ目の段落".into(),
        summary: "一行の要約".into(),
        duration_sum: 600,
        lesson_count: 3,
        sample_video: Some("/media/101/sample.m3u8".into()),
        teacher: Some(TeacherRef { id: 1, name: "高瀬航".into() }),
        created: Some(timestamp(time::macros::datetime!(2025-03-10 00:00 +9))),
        modified: Some(timestamp(NOON)),
        ..CourseSummary::default()
    };
    assert_eq!(course.summary.unwrap(), summary);
    let lessons = (1..).zip([100, 200, 300]).map(|(number, duration)| Lesson {
        id: LESSON - 1 + number,
        name: format!("講義{number}"),
        summary: "まとめ".into(),
        duration,
    });
    let unit = Unit { id: 1_010_101, name: "単元1".into(), lessons: lessons.collect() };
    assert_eq!(course.chapters, [Chapter { id: 10_101, name: "第1章".into(), units: vec![unit] }]);
}

#[tokio::test]
async fn courses_come_by_school_year_then_subject_then_id() {
    let folder = Folder::new();
    for (id, school_year, category) in
        [(1, "高1", "英語"), (2, "中1", "社会"), (3, "中1", "数学"), (4, "中1", "英語"), (5, "中1", "数学")]
    {
        folder.course_of(id, school_year, category, 1);
    }
    let school = School::with(folder, RULES).await;
    assert_eq!(ids(&list(&school, 1, None, None).await.unwrap()), [4, 3, 5, 2, 1]);
    assert_eq!(ids(&list(&school, 1, Some("中1"), None).await.unwrap()), [4, 3, 5, 2]);
    assert_eq!(ids(&list(&school, 1, None, Some("英語")).await.unwrap()), [4, 1]);
    let narrow = list(&school, 1, Some("中1"), Some("数学")).await.unwrap();
    assert_eq!((narrow.count, ids(&narrow)), (2, vec![3, 5]));
    assert_eq!(list(&school, 1, Some("小6"), None).await.unwrap(), ListCoursesResponse::default());
}

#[tokio::test]
async fn twenty_five_courses_fill_two_pages() {
    let folder = Folder::new();
    for id in 1..=25 {
        folder.course(id, 1);
    }
    let school = School::with(folder, RULES).await;
    let first = list(&school, 1, None, None).await.unwrap();
    let second = list(&school, 2, None, None).await.unwrap();
    assert_eq!((first.count, first.courses.len()), (25, 24));
    assert_eq!((second.count, ids(&second)), (25, vec![25]));
    assert_eq!(refusal(list(&school, 3, None, None).await), "NotFound NOT_FOUND");
}

#[tokio::test]
async fn unknown_courses_are_left_out_and_more_than_a_hundred_are_refused() {
    let school = School::open().await;
    let get = async |ids: Vec<i64>| school.catalogue().get_courses(GetCoursesRequest { ids }).await;
    let some = get(vec![999, COURSE, -1, i64::MAX, COURSE]).await.unwrap().into_inner();
    assert_eq!(some.courses.len(), 1);
    assert_eq!(get((0..100).collect()).await.unwrap().into_inner().courses.len(), 0);
    assert_eq!(refusal(get((0..101).collect()).await), "Invalid INVALID");
}
