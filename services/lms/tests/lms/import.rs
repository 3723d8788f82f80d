use std::path::Path;

use kit::test::HandClock;
use kit_db::test::TestDatabase;
use time::Duration;
use uuid::Uuid;

use crate::school::{COURSE, LESSON, LESSONS, NOON, School};

/// The id of the learner in `DEMO`.
const DEMO_LEARNER: &str = "01936f2a-4c00-7a31-8b52-1f6d0c9e4a01";

const DEMO: &str = "learners:
- id: 01936f2a-4c00-7a31-8b52-1f6d0c9e4a01
  inventory:
  - {course: 101, product_id: 1101, created: -P2D, expire_at: P10D, is_auto_renewal: true}
  - {course: 102, product_id: 1102, created: -P90D, expire_at: null, is_auto_renewal: false}
  bookmarks:
  - {course: 102, created: -P1D}
  favorites:
  - {lesson: 101010101, created: -P1D}
  checks:
  - {lesson: 102010101, created: -P80D}
  - {lesson: 102010102, created: -P70D}
  - {lesson: 102010103, created: -P60D}
  watched:
  - {lesson: 102010101, position: 100, seconds: 100, last_seen: -P80D}
";

fn demo_learner() -> Uuid {
    DEMO_LEARNER.parse().unwrap()
}

fn lines(faults: &str) -> Vec<&str> {
    faults.lines().skip(1).collect()
}

#[tokio::test]
async fn a_second_import_changes_nothing_and_says_so() {
    let school = School::open().await;
    school.folder.write("learners.yaml", DEMO);
    school.import().await.unwrap();
    let before = (school.course(COURSE).await, school.page(demo_learner(), 1, true).await.unwrap());
    school.clock.advance(Duration::DAY);
    let difference = school.import().await.unwrap();
    assert!(difference.is_empty());
    // Unchanged: a teacher, two courses and two items.
    assert_eq!(difference.to_string(), "= 5 as they were");
    let after = (school.course(COURSE).await, school.page(demo_learner(), 1, true).await.unwrap());
    assert_eq!(after, before);
}

#[tokio::test]
async fn a_change_gives_only_its_own_course_a_new_revision() {
    let school = School::open().await;
    let (before, other) = (school.course(COURSE).await, school.course(102).await);
    school.clock.advance(Duration::DAY);
    school.folder.edit("courses/101.yaml", "講義2", "新しい講義2");
    let difference = school.import().await.unwrap();
    assert_eq!(difference.to_string(), "~ course 101 chapters, search\n= 2 as they were");
    let after = school.course(COURSE).await;
    assert!(after.revision > before.revision);
    assert_eq!(after.chapters[0].units[0].lessons[1].name, "新しい講義2");
    assert_eq!(after.summary.unwrap().modified.unwrap().seconds, (NOON + Duration::DAY).unix_timestamp());
    assert_eq!(school.course(102).await, other);
}

#[tokio::test]
async fn a_new_name_of_a_teacher_changes_their_courses() {
    let school = School::open().await;
    let before = school.course(COURSE).await.revision;
    school.folder.edit("teachers.yaml", "高瀬航", "高瀬渡");
    let difference = school.import().await.unwrap();
    assert_eq!(
        difference.to_string(),
        "~ teacher 1 name, search\n~ course 101 search, teacher_name\n~ course 102 search, teacher_name\n= 0 as they were"
    );
    let after = school.course(COURSE).await;
    assert!(after.revision > before);
    assert_eq!(after.summary.unwrap().teacher.unwrap().name, "高瀬渡");
}

#[tokio::test]
async fn media_and_lessons_can_be_added_changed_removed_and_reordered() {
    let school = School::open().await;
    school.folder.course(COURSE, 4);
    school.folder.edit("courses/101.yaml", "sample_video", "thumbnail");
    school.folder.edit("courses/101.yaml", "duration: 100}", "duration: 150}");
    let line = "    - {id: 101010102, name: 講義2, summary: まとめ, duration: 200}\n";
    school.folder.edit("courses/101.yaml", line, "");
    let last = "    - {id: 101010104, name: 講義4, summary: まとめ, duration: 400}\n";
    school.folder.edit("courses/101.yaml", last, &format!("{last}{line}"));
    school.import().await.unwrap();
    let course = school.course(COURSE).await;
    let ids: Vec<i64> = course.chapters[0].units[0].lessons.iter().map(|lesson| lesson.id).collect();
    assert_eq!(ids, [LESSON, LESSON + 2, LESSON + 3, LESSON + 1]);
    let summary = course.summary.unwrap();
    assert_eq!((summary.lesson_count, summary.duration_sum), (4, 1050));
    assert_eq!((summary.sample_video, summary.thumbnail.as_deref()), (None, Some("/media/101/sample.m3u8")));
}

#[tokio::test]
async fn a_dry_run_reports_the_difference_and_changes_nothing() {
    let school = School::open().await;
    let before = school.course(COURSE).await;
    school.folder.edit("courses/101.yaml", "一行の要約", "別の要約");
    school.folder.course(103, 1);
    let told = school.try_import().await.unwrap();
    assert_eq!(told.to_string(), "~ course 101 search, summary\n+ course 103 講座103\n= 2 as they were");
    assert_eq!(school.course(COURSE).await, before);
    assert_eq!(school.import().await.unwrap(), told);
    assert_ne!(school.course(COURSE).await, before);
    school.folder.edit("courses/101.yaml", "category: 数学", "category: 体育");
    let faults = school.try_import().await.unwrap_err();
    assert_eq!(
        lines(&faults),
        ["courses/101.yaml:3: category: '体育' is none of 英語, 数学, 国語, 理科, 社会"]
    );
}

#[tokio::test]
async fn a_reading_changes_the_search_and_not_the_course() {
    let school = School::open().await;
    let before = school.course(COURSE).await;
    school.clock.advance(Duration::DAY);
    school.folder.edit("courses/101.yaml", "name: 講座101\n", "name: 講座101\nreadings: [こうざ]\n");
    let difference = school.import().await.unwrap();
    assert_eq!(difference.to_string(), "~ course 101 search\n= 2 as they were");
    assert_eq!(school.course(COURSE).await, before);
    school.folder.edit("courses/101.yaml", "readings: [こうざ]", "readings: [' ']");
    let faults = school.import().await.unwrap_err();
    assert_eq!(lines(&faults), ["courses/101.yaml:3: readings: is empty"]);
}

#[tokio::test]
async fn every_fault_is_told_at_once_with_its_place_and_nothing_changes() {
    let school = School::open().await;
    let before = school.course(102).await;
    let folder = &school.folder;
    folder.edit("courses/101.yaml", "category: 数学", "category: 体育");
    folder.edit("courses/101.yaml", "teacher: 1", "teacher: 9");
    folder.edit("courses/101.yaml", "2025-03-10", "2025-02-30");
    folder.edit("courses/101.yaml", "/media/101/sample.m3u8", "http://example.com/");
    folder.edit("courses/101.yaml", "id: 101010102", "id: 101010101");
    folder.edit("courses/101.yaml", "duration: 300", "duration: 0");
    folder.edit("courses/102.yaml", "一行の要約", "別の要約");
    folder.course(103, 1);
    folder.edit("courses/103.yaml", "level: 標準", "levle: 標準");
    folder.course(104, 1);
    folder.edit("courses/104.yaml", "id: 104\n", "id: 105\n");
    folder.course(106, 1);
    folder.edit("courses/106.yaml", "duration: 100", "duration: long");
    let faults = school.import().await.unwrap_err();
    assert!(faults.starts_with("nothing was imported; "), "{faults}");
    assert_eq!(
        lines(&faults),
        [
            "courses/101.yaml:3: category: '体育' is none of 英語, 数学, 国語, 理科, 社会",
            "courses/101.yaml:6: teacher: 9 is not in teachers.yaml",
            "courses/101.yaml:12: created: '2025-02-30' is not a day like 2025-03-10",
            "courses/101.yaml:13: sample_video: 'http://example.com/' is neither an https address nor a path of the site",
            "courses/101.yaml:22: id: 101010101 is there twice",
            "courses/101.yaml:23: duration: is not 1 second to 6 hours",
            "courses/103.yaml:5: levle: unknown field `levle`, expected one of id, name, readings, category, school_year, level, \
             teacher, summary, description, created, media, chapters",
            "courses/104.yaml:1: id: 105 is not the name of the file",
            "courses/104.yaml:15: id: 10401 is not 105 followed by 01 to 99",
            "courses/106.yaml:21: duration: invalid i32",
        ]
    );
    assert_eq!(school.course(102).await, before);
}

#[tokio::test]
async fn what_disappeared_is_named_and_nothing_changes() {
    let school = School::open().await;
    let before = school.course(COURSE).await;
    school.folder.course(COURSE, 2);
    school.folder.remove("courses/102.yaml");
    let faults = school.import().await.unwrap_err();
    assert_eq!(
        lines(&faults),
        [
            "courses/101.yaml: lessons: 101010103 (講義3) is in the catalogue and no longer here",
            "courses/102.yaml: id: 102 (講座102) is in the catalogue and no longer here",
        ]
    );
    assert_eq!(school.course(COURSE).await, before);
}

#[tokio::test]
async fn a_missing_file_is_one_fault() {
    let school = School::open().await;
    school.folder.remove("teachers.yaml");
    let faults = school.import().await.unwrap_err();
    assert_eq!(lines(&faults), ["teachers.yaml: file: No such file or directory (os error 2)"]);
}

#[tokio::test]
async fn a_demo_learner_has_the_items_and_marks_of_the_file() {
    let school = School::open().await;
    school.folder.write("learners.yaml", DEMO);
    let difference = school.import().await.unwrap();
    assert_eq!(
        difference.to_string(),
        format!("+ item 1101 of {DEMO_LEARNER}\n+ item 1102 of {DEMO_LEARNER}\n= 3 as they were")
    );
    let page = school.page(demo_learner(), 1, true).await.unwrap();
    assert_eq!((page.count, page.complete_count), (2, 1));
    let [watched, new] = &page.items[..] else { panic!("{page:?}") };
    assert_eq!((watched.course_id, watched.check_count, watched.is_new), (102, 3, false));
    assert_eq!(watched.completed_at.unwrap().seconds, (NOON - Duration::days(60)).unix_timestamp());
    assert_eq!(watched.expire_at, None);
    assert_eq!((new.course_id, new.is_new, new.is_auto_renewal), (COURSE, true, true));
    assert_eq!(new.created.unwrap().seconds, (NOON - Duration::days(2)).unix_timestamp());
    // The tenth day from now ends at midnight in Tokyo.
    let end = time::macros::datetime!(2026-12-01 00:00 +9);
    assert_eq!(new.expire_at.unwrap().seconds, end.unix_timestamp());
}

#[tokio::test]
async fn an_import_keeps_what_a_demo_learner_did_since_the_last_one() {
    let school = School::open().await;
    school.folder.write("learners.yaml", DEMO);
    school.import().await.unwrap();
    school.uncheck_lesson(demo_learner(), 102_010_103).await;
    for lesson in LESSONS {
        school.check_lesson(demo_learner(), lesson).await.unwrap();
    }
    let before = school.page(demo_learner(), 1, true).await.unwrap();
    school.folder.edit(
        "learners.yaml",
        "  bookmarks:",
        "  - {course: 102, product_id: 2102, created: -P1D, expire_at: P1D, is_auto_renewal: false}\n  bookmarks:",
    );
    let difference = school.import().await.unwrap().to_string();
    assert_eq!(difference, format!("+ item 2102 of {DEMO_LEARNER}\n= 5 as they were"));
    let after = school.page(demo_learner(), 1, true).await.unwrap();
    assert_eq!((before.count, after.count), (2, 3));
    for item in before.items {
        assert!(after.items.contains(&item));
    }
}

#[tokio::test]
async fn faults_of_demo_learners_are_reported() {
    let school = School::open().await;
    school.folder.write("learners.yaml", DEMO);
    school.folder.edit("learners.yaml", "course: 102, created: -P1D", "course: 999, created: P1D");
    school.folder.edit("learners.yaml", "product_id: 1102", "product_id: 1101");
    school.folder.edit("learners.yaml", "lesson: 101010101", "lesson: 101010109");
    school.folder.edit("learners.yaml", "position: 100", "position: 101");
    school.folder.edit("learners.yaml", "expire_at: P10D", "expire_at: soon");
    school.folder.edit("learners.yaml", DEMO_LEARNER, "adult");
    let faults = school.import().await.unwrap_err();
    assert_eq!(
        lines(&faults),
        [
            "learners.yaml:2: id: 'adult' is not a UUID",
            "learners.yaml:4: expire_at: 'soon' is neither a number of days like -P3D nor an instant like 2025-03-10T09:00:00+09:00",
            "learners.yaml:5: product_id: 1101 is there twice",
            "learners.yaml:7: course: 999 is not in courses",
            "learners.yaml:7: created: 'P1D' is still to come",
            "learners.yaml:9: lesson: 101010109 is not in courses",
            "learners.yaml:15: position: is not within the 100 seconds of the lesson",
        ]
    );
}

#[tokio::test]
async fn questions_change_no_revision_and_cannot_be_removed() {
    let school = School::with_questions().await;
    let before = school.course(COURSE).await;
    school.folder.edit("courses/101.yaml", "解説その一", "もっとよい解説");
    let difference = school.import().await.unwrap();
    assert_eq!(difference.to_string(), "~ course 101 questions\n= 2 as they were");
    assert_eq!(school.course(COURSE).await, before, "the course of learners is unchanged");
    assert!(school.import().await.unwrap().is_empty());

    school.folder.edit(
        "courses/101.yaml",
        "choices: ['1', '2.5', '7'], answer: [3, 1]",
        "choices: ['1', '2.5'], answer: [1]",
    );
    school.folder.edit("courses/101.yaml", "kind: number", "kind: text");
    let text = "        {id: 10101010104, kind: text, prompt: 何といいますか, answer: [ひみつの言葉, 秘密の言葉], explanation: 解説その四},\n";
    school.folder.edit("courses/101.yaml", text, "");
    let faults = school.try_import().await.unwrap_err();
    assert_eq!(
        lines(&faults),
        [
            "courses/101.yaml: questions: 10101010102 has answers of another kind or choices that are no longer there; \
             ask another question",
            "courses/101.yaml: questions: 10101010103 has answers of another kind or choices that are no longer there; \
             ask another question",
            "courses/101.yaml: questions: 10101010104 (何といいますか) is in the catalogue and no longer here",
        ]
    );
}

#[tokio::test]
async fn every_fault_of_a_question_is_reported_with_its_line_and_field() {
    let school = School::open().await;
    let questions = "duration: 100, questions: [
        {id: 10101010101, kind: single, prompt: どれ, choices: [a, a], answer: 3, explanation: 一},
        {id: 10101010102, kind: single, prompt: どれ, answer: one, explanation: 一},
        {id: 10101010102, kind: multiple, prompt: どれ, choices: [a, b], answer: 1, explanation: 一},
        {id: 101, kind: number, prompt: 'いくつ $x', choices: [a, b], answer: three, explanation: ' '},
        {id: 10101010105, kind: text, prompt: 何, answer: 5, explanation: 一, watch_again_at: 100},
        {id: 10101010106, kind: odd, prompt: 何, choices: [a, b], answer: [1, 2], explanation: 一},
        {id: 10101010107, kind: number, prompt: 何, picture: {url: a.png, alt: ''}, answer: -1.5, explanation: 一},
      ]}";
    school.folder.edit("courses/101.yaml", "duration: 100}", questions);
    let faults = school.try_import().await.unwrap_err();
    assert_eq!(
        lines(&faults),
        [
            "courses/101.yaml:22: answer: there is no choice 3",
            "courses/101.yaml:22: choices: 'a' is there twice",
            "courses/101.yaml:23: answer: is not the number of a choice",
            "courses/101.yaml:23: choices: there is nothing to choose from",
            "courses/101.yaml:24: answer: is not a list of the numbers of choices",
            "courses/101.yaml:24: id: 10101010102 is there twice",
            "courses/101.yaml:25: answer: 'three' is no number like -1,234.5 or 3/4",
            "courses/101.yaml:25: choices: nothing is chosen in a question of this kind",
            "courses/101.yaml:25: explanation: is empty",
            "courses/101.yaml:25: id: 101 is not 101010101 followed by 01 to 99",
            "courses/101.yaml:25: prompt: has a $ without the other one",
            "courses/101.yaml:26: answer: is not a text or a list of texts; quote what looks like a number",
            "courses/101.yaml:26: watch_again_at: is not within the 100 seconds of the lesson",
            "courses/101.yaml:27: answer: is not the number of a choice",
            "courses/101.yaml:27: kind: 'odd' is none of single, multiple, number, text",
            "courses/101.yaml:28: picture: 'a.png' is neither an https address nor a path of the site",
            "courses/101.yaml:28: picture: has no words for those who do not see it",
        ]
    );
    school.folder.edit("courses/101.yaml", "answer: three", "answer: {a: 1}");
    let faults = school.try_import().await.unwrap_err();
    assert!(lines(&faults)[0].starts_with("courses/101.yaml:25: answer: "), "{faults}");
}

/// A new product starts with the content in the source tree.
#[tokio::test]
async fn the_demo_content_has_no_fault() {
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("demo");
    let database = TestDatabase::new(&lms::MIGRATIONS).await;
    let clock = HandClock::at(NOON).clock();
    lms::import_folder(&database.pool, &clock, &demo, false).await.unwrap();
    assert!(lms::import_folder(&database.pool, &clock, &demo, true).await.unwrap().is_empty());
}
