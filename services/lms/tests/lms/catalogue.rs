use proto::lms::{
    Chapter, CourseSort, CourseSummary, FacetValue, GetCoursesRequest, GetOverviewRequest, Lesson,
    ListCoursesRequest, ListCoursesResponse, Shelf, TeacherRef, Unit,
};
use tonic::Status;

use crate::price_list::{PRICES, price_list};
use crate::school::{COURSE, Folder, LESSON, NOON, RULES, School, refusal};

/// A request for the first page of all courses.
pub(crate) fn all() -> ListCoursesRequest {
    ListCoursesRequest { page: 1, ..ListCoursesRequest::default() }
}

pub(crate) async fn list(
    school: &School,
    request: ListCoursesRequest,
) -> Result<ListCoursesResponse, Status> {
    school.catalogue().list_courses(request).await.map(tonic::Response::into_inner)
}

/// Lists the ids on the page.
pub(crate) async fn ids(school: &School, request: ListCoursesRequest) -> Vec<i64> {
    list(school, request).await.unwrap().courses.iter().map(|course| course.id).collect()
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// The choices with a count above 0, e.g. `中1 2, 高1 1`.
fn facet(values: &[FacetValue]) -> String {
    let some = values.iter().filter(|value| value.count > 0);
    some.map(|value| format!("{} {}", value.value, value.count)).collect::<Vec<_>>().join(", ")
}

/// Courses 1 to 6: two teachers, three school years, three subjects and three levels. The lengths
/// are 600 to 100 seconds. All except 6 have a price.
pub(crate) async fn shelf() -> School {
    let folder = Folder::new();
    folder.write(
        "teachers.yaml",
        "teachers:\n- {id: 1, name: 高瀬航, kana: タカセ ワタル, subjects: [数学], message: こんにちは, career: 教員}\n\
         - {id: 2, name: 佐倉みのり, kana: サクラ ミノリ, subjects: [英語], message: こんにちは, career: 教員}\n",
    );
    for (id, school_year, category, level, teacher, day) in [
        (1, "高1", "英語", "発展", 2, "2025-01-01"),
        (2, "中1", "社会", "標準", 1, "2025-06-01"),
        (3, "中1", "数学", "基礎", 1, "2025-03-01"),
        (4, "中1", "英語", "標準", 2, "2025-02-01"),
        (5, "中1", "数学", "標準", 1, "2025-05-01"),
        (6, "中3", "数学", "標準", 2, "2025-04-01"),
    ] {
        folder.course_of(id, school_year, category, 1);
        let file = format!("courses/{id}.yaml");
        folder.edit(&file, "level: 標準", &format!("level: {level}"));
        folder.edit(&file, "teacher: 1", &format!("teacher: {teacher}"));
        folder.edit(&file, "2025-03-10", day);
        folder.edit(&file, "duration: 100", &format!("duration: {}", 700 - 100 * id));
    }
    folder.edit(
        "courses/5.yaml",
        "name: 講座5\n",
        "name: 二次方程式 50%_引き\\\nreadings: [にじほうていしき]\n",
    );
    let school = School::with(folder, RULES).await;
    school.publish(&price_list(NOON, &PRICES)).await;
    school
}

fn timestamp(moment: time::OffsetDateTime) -> prost_types::Timestamp {
    prost_types::Timestamp { seconds: moment.unix_timestamp(), nanos: 0 }
}

#[tokio::test]
async fn a_course_has_all_its_imported_content() {
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
async fn courses_are_sorted_by_school_year_then_subject_then_id() {
    let school = shelf().await;
    assert_eq!(ids(&school, all()).await, [4, 3, 5, 2, 6, 1]);
    let sort = CourseSort::Recommended.into();
    assert_eq!(ids(&school, ListCoursesRequest { sort, ..all() }).await, [4, 3, 5, 2, 6, 1]);
}

#[tokio::test]
async fn the_overview_counts_every_shelf_and_features_the_first_course_of_each_subject() {
    let school = shelf().await;
    let overview = school.catalogue().get_overview(GetOverviewRequest {}).await.unwrap().into_inner();
    let shelf = |school_year: &str, category: &str, course_count, duration_sum| Shelf {
        school_year: school_year.into(),
        category: category.into(),
        course_count,
        lesson_count: course_count,
        duration_sum,
    };
    let shelves = [
        shelf("中1", "英語", 1, 300),
        shelf("中1", "数学", 2, 400 + 200),
        shelf("中1", "社会", 1, 500),
        shelf("中3", "数学", 1, 100),
        shelf("高1", "英語", 1, 600),
    ];
    assert_eq!(overview.shelves, shelves);
    let featured: Vec<i64> = overview.featured.iter().map(|course| course.id).collect();
    assert_eq!(featured, [4, 3, 2, 5, 6, 1]);
}

#[tokio::test]
async fn the_overview_of_an_empty_catalogue_is_empty() {
    let school = School::with(Folder::new(), RULES).await;
    let overview = school.catalogue().get_overview(GetOverviewRequest {}).await.unwrap().into_inner();
    assert_eq!((overview.shelves, overview.featured), (vec![], vec![]));
}

#[tokio::test]
async fn each_filter_narrows_the_list() {
    let school = shelf().await;
    let table = [
        (ListCoursesRequest { school_years: words(&["中1"]), ..all() }, vec![4, 3, 5, 2]),
        (ListCoursesRequest { school_years: words(&["高1", "中3", "高1"]), ..all() }, vec![6, 1]),
        (ListCoursesRequest { categories: words(&["英語", "社会"]), ..all() }, vec![4, 2, 1]),
        (ListCoursesRequest { levels: words(&["基礎", "発展"]), ..all() }, vec![3, 1]),
        (ListCoursesRequest { teacher_id: Some(2), ..all() }, vec![4, 6, 1]),
        (ListCoursesRequest { teacher_id: Some(3), ..all() }, vec![]),
        (ListCoursesRequest { price_min: Some(13_200), ..all() }, vec![4, 3, 2, 1]),
        (ListCoursesRequest { price_max: Some(13_200), ..all() }, vec![4, 5, 2]),
        (ListCoursesRequest { price_min: Some(13_201), price_max: Some(19_799), ..all() }, vec![3]),
        (ListCoursesRequest { price_min: Some(2), price_max: Some(1), ..all() }, vec![]),
        (ListCoursesRequest { price_min: Some(0), ..all() }, vec![4, 3, 5, 2, 1]),
    ];
    for (request, wanted) in table {
        let asked = format!("{request:?}");
        assert_eq!(ids(&school, request).await, wanted, "{asked}");
    }
}

#[tokio::test]
async fn words_match_in_any_order_width_and_kana_and_wildcards_are_literal() {
    let school = shelf().await;
    let table: [(&str, &[i64]); 17] = [
        ("数学", &[3, 5, 6]),
        ("高瀬", &[3, 5, 2]),
        ("講座", &[4, 3, 2, 6, 1]),
        ("講座 中1", &[4, 3, 2]),
        ("中1　講座", &[4, 3, 2]),
        ("中１ 講座 数学", &[3]),
        ("方程", &[5]),
        ("二", &[4, 3, 5, 2, 6, 1]),
        ("にじほう", &[5]),
        ("ニジホウ", &[5]),
        ("ﾆｼﾞﾎｳ", &[5]),
        ("50%", &[5]),
        ("%_", &[5]),
        ("引き\\", &[5]),
        ("5_%", &[]),
        ("\\\\", &[]),
        ("体育", &[]),
    ];
    for (query, wanted) in table {
        let request = ListCoursesRequest { query: Some(query.to_owned()), ..all() };
        assert_eq!(ids(&school, request).await, wanted, "{query}");
    }
}

#[tokio::test]
async fn courses_can_be_sorted_and_those_without_a_price_are_last() {
    let school = shelf().await;
    let table = [
        (CourseSort::New, [2, 5, 6, 3, 4, 1]),
        (CourseSort::Price, [5, 4, 2, 3, 1, 6]),
        (CourseSort::PriceDescending, [1, 3, 4, 2, 5, 6]),
        (CourseSort::Duration, [6, 5, 4, 3, 2, 1]),
    ];
    for (sort, wanted) in table {
        let request = ListCoursesRequest { sort: sort.into(), ..all() };
        assert_eq!(ids(&school, request).await, wanted, "{sort:?}");
    }
}

#[tokio::test]
async fn a_facet_counts_under_all_filters_except_its_own() {
    let school = shelf().await;
    let everything = list(&school, all()).await.unwrap();
    let values: Vec<&str> = everything.school_years.iter().map(|value| value.value.as_str()).collect();
    assert_eq!(values, ["中1", "中2", "中3", "高1", "高2", "高3"]);
    assert_eq!(facet(&everything.school_years), "中1 4, 中3 1, 高1 1");
    assert_eq!(facet(&everything.categories), "英語 2, 数学 3, 社会 1");
    assert_eq!(facet(&everything.levels), "基礎 1, 標準 4, 発展 1");

    let request = ListCoursesRequest {
        school_years: words(&["中1"]),
        categories: words(&["数学"]),
        levels: words(&["標準"]),
        ..all()
    };
    let narrow = list(&school, request).await.unwrap();
    assert_eq!(narrow.count, 1);
    assert_eq!(facet(&narrow.school_years), "中1 1, 中3 1");
    assert_eq!(facet(&narrow.categories), "英語 1, 数学 1, 社会 1");
    assert_eq!(facet(&narrow.levels), "基礎 1, 標準 1");
}

#[tokio::test]
async fn filters_are_combined() {
    let school = shelf().await;
    let request = ListCoursesRequest {
        school_years: words(&["中1", "高1"]),
        categories: words(&["数学", "英語"]),
        levels: words(&["標準", "基礎"]),
        teacher_id: Some(1),
        price_min: Some(0),
        price_max: Some(16_500),
        query: Some("高瀬 数学".to_owned()),
        sort: CourseSort::Price.into(),
        ..all()
    };
    let page = list(&school, request.clone()).await.unwrap();
    assert_eq!((page.count, facet(&page.levels)), (2, "基礎 1, 標準 1".to_owned()));
    assert_eq!(ids(&school, request.clone()).await, [5, 3]);
    assert_eq!(ids(&school, ListCoursesRequest { price_min: Some(1), ..request }).await, [3]);
}

#[tokio::test]
async fn a_search_without_hits_has_an_empty_page_with_all_choices() {
    let school = shelf().await;
    let page = list(&school, ListCoursesRequest { query: Some("体育".to_owned()), ..all() }).await.unwrap();
    assert_eq!((page.count, page.courses.len(), page.school_years.len()), (0, 0, 6));
    assert_eq!(facet(&page.school_years), "");
}

#[tokio::test]
async fn twenty_five_courses_fill_two_pages() {
    let folder = Folder::new();
    for id in 1..=25 {
        folder.course(id, 1);
    }
    let school = School::with(folder, RULES).await;
    let first = list(&school, all()).await.unwrap();
    let second = list(&school, ListCoursesRequest { page: 2, ..all() }).await.unwrap();
    assert_eq!((first.count, first.courses.len()), (25, 24));
    assert_eq!((second.count, second.courses.len(), second.courses[0].id), (25, 1, 25));
    assert_eq!(second.levels, first.levels);
    for page in [3, u32::MAX] {
        let beyond = list(&school, ListCoursesRequest { page, ..all() }).await;
        assert_eq!(refusal(beyond), "NotFound NOT_FOUND");
    }
}

#[tokio::test]
async fn unknown_courses_are_omitted_and_more_than_a_hundred_ids_are_refused() {
    let school = School::open().await;
    let get = async |ids: Vec<i64>| school.catalogue().get_courses(GetCoursesRequest { ids }).await;
    let some = get(vec![999, COURSE, -1, i64::MAX, COURSE]).await.unwrap().into_inner();
    assert_eq!(some.courses.len(), 1);
    assert_eq!(get((0..100).collect()).await.unwrap().into_inner().courses.len(), 0);
    assert_eq!(refusal(get((0..101).collect()).await), "Invalid INVALID");
}
