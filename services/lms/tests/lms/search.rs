use proto::lms::{ListCoursesRequest, SearchKind, SearchRequest, SearchResponse, SuggestRequest};

use crate::school::{Folder, RULES, School};

const KINDS: [SearchKind; 3] = [SearchKind::Course, SearchKind::Lesson, SearchKind::Teacher];

async fn search(school: &School, query: &str, kinds: &[SearchKind], page: u32) -> SearchResponse {
    let kinds = kinds.iter().map(|kind| i32::from(*kind)).collect();
    let request = SearchRequest { query: query.to_owned(), kinds, page, page_size: 20 };
    school.search().search(request).await.unwrap().into_inner()
}

/// The numbers of courses, lessons and teachers that were found.
fn counts(found: &SearchResponse) -> [u32; 3] {
    KINDS.map(|kind| found.counts.iter().find(|count| count.kind() == kind).unwrap().count)
}

/// The kinds and ids of the hits, the best first.
fn hits(found: &SearchResponse) -> Vec<(SearchKind, i64)> {
    found.hits.iter().map(|hit| (hit.kind(), hit.id)).collect()
}

async fn titles(school: &School, query: &str) -> Vec<String> {
    let request = SuggestRequest { query: query.to_owned(), limit: 8 };
    let answer = school.search().suggest(request).await.unwrap().into_inner();
    answer.suggestions.into_iter().map(|suggestion| suggestion.title).collect()
}

/// A course of mathematics with readings, and one without rare words.
async fn school() -> School {
    let folder = Folder::new();
    folder.write(
        "courses/105.yaml",
        r"id: 105
name: 二次方程式と関数
readings: [にじほうていしきとかんすう]
category: 数学
school_year: 中3
level: 標準
teacher: 1
summary: グラフを図形の問題に使えるようになります。
description: 平方根から始めます。
created: 2025-03-10
chapters:
- id: 10501
  name: 二次方程式
  readings: [にじほうていしき]
  units:
  - id: 1050101
    name: 三つの解き方
    lessons:
    - {id: 105010101, name: 因数分解で解く, readings: [いんすうぶんかいでとく], summary: 積が0になります。, duration: 100}
    - {id: 105010102, name: 解の公式, summary: 因数分解できない式を解く。, duration: 100}
    - {id: 105010103, name: 'ABC 100%_\ まとめ', summary: 見直し。, duration: 100}
",
    );
    folder.course(106, 3);
    School::with(folder, RULES).await
}

#[tokio::test]
async fn a_query_matches_all_words_in_any_order_width_and_kana() {
    let school = school().await;
    let table: [(&str, [u32; 3]); 25] = [
        ("数学", [2, 0, 1]),
        ("すうがく", [0, 0, 0]),
        ("にじほう", [1, 3, 0]),
        ("ニジホウ", [1, 3, 0]),
        ("ﾆｼﾞﾎｳ", [1, 3, 0]),
        ("にじホウ", [1, 3, 0]),
        ("二次", [1, 3, 0]),
        ("因", [0, 2, 0]),
        ("因数 方程式", [0, 2, 0]),
        ("方程式　因数", [0, 2, 0]),
        ("方程式 公式", [0, 1, 0]),
        ("因数分解 数学", [0, 0, 0]),
        ("中3", [1, 0, 0]),
        ("中３", [1, 0, 0]),
        ("平方根", [1, 0, 0]),
        ("abc", [0, 1, 0]),
        ("ＡＢＣ", [0, 1, 0]),
        ("100%", [0, 1, 0]),
        ("%", [0, 1, 0]),
        ("_", [0, 1, 0]),
        ("\\", [0, 1, 0]),
        ("0%0", [0, 0, 0]),
        ("高瀬", [2, 0, 1]),
        ("たかせわたる", [0, 0, 1]),
        ("体育", [0, 0, 0]),
    ];
    for (query, wanted) in table {
        assert_eq!(counts(&search(&school, query, &KINDS, 1).await), wanted, "{query}");
    }
}

#[tokio::test]
async fn a_number_is_found_in_every_notation() {
    let school = school().await;
    for query in ["二次方程式", "２次方程式", "2次方程式"] {
        assert_eq!(counts(&search(&school, query, &KINDS, 1).await), [1, 3, 0], "{query}");
    }
    // The course has the number as a digit.
    assert_eq!(counts(&search(&school, "中三", &KINDS, 1).await), [1, 0, 0]);
}

#[tokio::test]
async fn kana_match_the_beginning_of_words_and_otherwise_any_place() {
    let folder = Folder::new();
    let science = course(104, "中2理科 電流", "ちゅうに りか でんりゅう", "グラフをかきます。");
    let history = course(112, "高3社会 日本史", "こうさん しゃかい にほんし", "移り変わりから学びます。");
    folder.write("courses/104.yaml", &science);
    folder.write("courses/112.yaml", &history);
    let school = School::with(folder, RULES).await;
    let courses = async |query| hits(&search(&school, query, &[SearchKind::Course], 1).await);
    let course = |id| (SearchKind::Course, id);
    for query in ["りか", "リカ", "りかでん", "ちゅうにりか", "でんりゅう", "りか 電流", "ぐらふを"]
    {
        assert_eq!(courses(query).await, [course(104)], "{query}");
    }
    assert_eq!(courses("わりから").await, [course(112)]);
    assert_eq!(courses("ます").await, [course(104), course(112)]);
    assert_eq!(titles(&school, "りか").await, ["中2理科 電流"]);
    let listed = ListCoursesRequest { page: 1, query: Some("りか".to_owned()), ..Default::default() };
    let listed = school.catalogue().list_courses(listed).await.unwrap().into_inner();
    assert_eq!(listed.courses.iter().map(|course| course.id).collect::<Vec<_>>(), [104]);
}

/// Formats a course of one lesson as YAML.
fn course(id: i64, name: &str, reading: &str, summary: &str) -> String {
    format!(
        r"id: {id}
name: {name}
readings: [{reading}]
category: 理科
school_year: 中2
level: 標準
teacher: 1
summary: {summary}
description: 学びます。
created: 2025-03-10
chapters:
- id: {id}01
  name: 章
  units:
  - id: {id}0101
    name: 単元
    lessons:
    - {{id: {id}010101, name: 講義, summary: 見直し。, duration: 100}}
"
    )
}

#[tokio::test]
async fn hits_in_titles_come_first() {
    let school = school().await;
    let found = search(&school, "因数分解", &[SearchKind::Lesson], 1).await;
    assert_eq!(hits(&found), [(SearchKind::Lesson, 105_010_101), (SearchKind::Lesson, 105_010_102)]);
    let found = search(&school, "解", &[SearchKind::Lesson], 1).await;
    // The title of the first hit begins with the word. The last hit has it only in the name of its
    // unit.
    let ids: Vec<i64> = found.hits.iter().map(|hit| hit.id).collect();
    assert_eq!(ids, [105_010_102, 105_010_101, 105_010_103]);
}

#[tokio::test]
async fn a_hit_has_its_kind_and_a_lesson_its_course() {
    let school = school().await;
    let found = search(&school, "いんすう", &KINDS, 1).await;
    let [lesson] = &found.hits[..] else { panic!("{found:?}") };
    assert_eq!((lesson.kind(), lesson.id), (SearchKind::Lesson, 105_010_101));
    assert_eq!((&*lesson.title, &*lesson.summary), ("因数分解で解く", "積が0になります。"));
    assert_eq!((lesson.course_id, lesson.course_name.as_deref()), (Some(105), Some("二次方程式と関数")));
    let found = search(&school, "高瀬", &KINDS, 1).await;
    let wanted = [(SearchKind::Course, 105), (SearchKind::Course, 106), (SearchKind::Teacher, 1)];
    assert_eq!(hits(&found), wanted);
    assert!(found.hits.iter().all(|hit| hit.course_id.is_none() && hit.course_name.is_none()));
    assert_eq!((&*found.hits[2].title, &*found.hits[2].summary), ("高瀬航", "こんにちは"));
}

#[tokio::test]
async fn every_kind_is_counted_and_only_requested_kinds_are_listed() {
    let school = school().await;
    let found = search(&school, "高瀬", &[SearchKind::Teacher], 1).await;
    assert_eq!((counts(&found), hits(&found)), ([2, 0, 1], vec![(SearchKind::Teacher, 1)]));
    let found = search(&school, "高瀬", &[], 1).await;
    assert_eq!((counts(&found), hits(&found)), ([2, 0, 1], vec![]));
}

#[tokio::test]
async fn pages_follow_each_other_and_end() {
    let folder = Folder::new();
    folder.course(107, 45);
    let school = School::with(folder, RULES).await;
    let mut seen = Vec::new();
    for (page, length) in [(1, 20), (2, 20), (3, 5), (4, 0)] {
        let found = search(&school, "まとめ", &[SearchKind::Lesson], page).await;
        assert_eq!((counts(&found), found.hits.len()), ([0, 45, 0], length), "{page}");
        seen.extend(found.hits.iter().map(|hit| hit.id));
    }
    let all: Vec<i64> = (1..=45).map(|number| 107_010_100 + number).collect();
    assert_eq!(seen, all);
    let found = search(&school, "まとめ", &[SearchKind::Lesson], u32::MAX).await;
    assert_eq!(found.hits.len(), 0);
}

#[tokio::test]
async fn hits_are_counted_up_to_a_thousand() {
    let folder = Folder::new();
    folder.course(108, 1005);
    let school = School::with(folder, RULES).await;
    // A word in titles, and a word elsewhere.
    for query in ["講義", "まとめ"] {
        assert_eq!(counts(&search(&school, query, &KINDS, 1).await)[1], 1000, "{query}");
        assert_eq!(search(&school, query, &KINDS, 50).await.hits.len(), 20);
        assert_eq!(search(&school, query, &KINDS, 51).await.hits.len(), 0);
    }
}

#[tokio::test]
async fn suggestions_match_titles_or_readings_and_are_sorted_by_relevance() {
    let school = school().await;
    assert_eq!(titles(&school, "にじ").await, ["二次方程式と関数"]);
    assert_eq!(titles(&school, "いんすうぶ").await, ["因数分解で解く"]);
    // The word is in a summary only.
    assert!(titles(&school, "見直し").await.is_empty());
    assert_eq!(titles(&school, "解").await, ["解の公式", "因数分解で解く"]);
    assert_eq!(titles(&school, "さ%").await, Vec::<String>::new());
    assert_eq!(titles(&school, "ワタル").await, ["高瀬航"]);
    let request = SuggestRequest { query: "講".to_owned(), limit: 2 };
    let answer = school.search().suggest(request).await.unwrap().into_inner().suggestions;
    assert_eq!((answer[0].kind(), answer[0].id, answer[0].course_id), (SearchKind::Course, 106, None));
    assert_eq!(
        (answer[1].kind(), answer[1].id, answer[1].course_id),
        (SearchKind::Lesson, 106_010_101, Some(106))
    );
    assert_eq!(answer.len(), 2);
}

#[tokio::test]
async fn changed_content_is_found_by_its_new_words() {
    let school = school().await;
    school.folder.edit("courses/105.yaml", "因数分解で解く", "因数に分ける");
    school.folder.edit("courses/105.yaml", "いんすうぶんかいでとく", "いんすうにわける");
    school.import().await.unwrap();
    assert_eq!(counts(&search(&school, "いんすうぶんかい", &KINDS, 1).await), [0, 0, 0]);
    assert_eq!(counts(&search(&school, "にわける", &KINDS, 1).await), [0, 1, 0]);
}
