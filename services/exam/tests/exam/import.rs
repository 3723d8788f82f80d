//! Imports: what is imported, what is refused, and what never changes.

use std::path::Path;

use kit_db::test::TestDatabase;
use proto::exam::{GetCheckRequest, GetExamRequest, GetFigureRequest, ListChecksRequest};
use tonic::Code;

use crate::school::School;

impl School {
    /// Returns the revision of a paper.
    async fn revision(&self, paper: i64) -> i32 {
        let mut connection = self.database.pool.acquire().await.unwrap();
        let revision = sqlx::query_scalar!("SELECT revision FROM paper WHERE id = $1", paper);
        revision.fetch_one(&mut *connection).await.unwrap()
    }

    /// Freezes a paper by a learner's start.
    async fn freeze(&self, paper: i64) {
        let mut connection = self.database.pool.acquire().await.unwrap();
        sqlx::query!("UPDATE paper SET frozen_at = now() WHERE id = $1", paper)
            .execute(&mut *connection)
            .await
            .unwrap();
    }
}

#[tokio::test]
async fn a_second_import_changes_nothing() {
    let school = School::empty().await;
    let planned = school.try_import().await.unwrap();
    assert!(school.exams().get_exam(GetExamRequest { id: 1 }).await.is_err());
    let first = school.import().await.unwrap();
    assert_eq!(planned, first);
    let lines = first.to_string();
    for line in ["+ exam 1 第1回", "+ paper 11 数学", "+ check 2 be動詞", "+ school 3 青葉台高校"]
    {
        assert!(lines.contains(line), "{lines}");
    }
    let second = school.import().await.unwrap();
    assert!(second.is_empty(), "{second}");
    assert_eq!(school.revision(11).await, 1);
}

#[tokio::test]
async fn a_change_gives_only_its_own_paper_a_new_revision() {
    let school = School::open().await;
    school.folder.replace("exams/1/math.yaml", "points: 4", "points: 5");
    assert_eq!(school.import().await.unwrap().to_string(), "~ paper 11 questions\n= 9 as they were");
    assert_eq!((school.revision(11).await, school.revision(12).await), (2, 1));
    let exam = school.exams().get_exam(GetExamRequest { id: 1 }).await.unwrap().into_inner().exam.unwrap();
    assert_eq!(exam.papers[0].points, 11);
}

#[tokio::test]
async fn a_change_of_a_started_paper_is_a_fault_and_nothing_is_imported() {
    let school = School::open().await;
    school.freeze(11).await;
    school.folder.replace("exams/1/math.yaml", "偶数", "2の倍数");
    school.folder.replace("exams/1/english.yaml", "points: 5", "points: 6");
    assert_eq!(
        school.faults().await,
        [
            "exams/1.yaml: papers: paper 11 (数学) changed, and a learner has started it already: give a changed paper a new id"
        ]
    );
    assert_eq!(school.revision(12).await, 1);
    school.folder.replace("exams/1/math.yaml", "2の倍数", "偶数");
    school.import().await.unwrap();
    assert_eq!(school.revision(12).await, 2);
}

#[tokio::test]
async fn the_lessons_of_a_paper_may_change_after_its_start() {
    let school = School::open().await;
    school.freeze(11).await;
    let mut connection = school.database.pool.acquire().await.unwrap();
    // As after the exam: statistics refer to the questions.
    sqlx::query!("INSERT INTO question_statistics (question_id, right_count) VALUES (1101, 1)")
        .execute(&mut *connection)
        .await
        .unwrap();
    school.folder.replace(
        "exams/1/math.yaml",
        "lesson: 101010101",
        "lesson: 101010102\n    watch_again_at: 90",
    );
    assert_eq!(school.import().await.unwrap().to_string(), "~ paper 11 questions\n= 9 as they were");
    let content = sqlx::query_scalar!("SELECT content FROM question WHERE id = 1101");
    let content = content.fetch_one(&mut *connection).await.unwrap();
    assert_eq!((&content["lesson_id"], &content["watch_again_at"]), (&101_010_102.into(), &90.into()));
    assert!(school.import().await.unwrap().is_empty());
}

#[tokio::test]
async fn content_that_applications_may_refer_to_cannot_be_removed() {
    let school = School::open().await;
    school.folder.remove("exams/2.yaml");
    school.folder.replace(
        "exams/1.yaml",
        "  - { id: 12, subject: 英語, minutes: 40, file: 1/english.yaml }\n",
        "",
    );
    school.folder.replace("schools.yaml", ", { id: 102, name: 理数科, border: 64.5 }", "");
    assert_eq!(
        school.faults().await,
        [
            "exams: id: exam 2 (第2回) is missing, and applications may refer to it",
            "exams/1.yaml: id: paper 12 (英語) is missing, and applications may refer to it",
            "exams/2.yaml: id: paper 21 (国語) is missing, and applications may refer to it",
            "schools.yaml: id: department 102 (雪ノ原北高校 理数科) is missing, and applications may refer to it",
        ]
    );
}

#[tokio::test]
async fn a_free_check_can_be_removed() {
    let school = School::open().await;
    school.folder.remove("checks/2.yaml");
    assert_eq!(school.import().await.unwrap().to_string(), "- check 2 be動詞\n= 9 as they were");
    let list = school.checks().list_checks(ListChecksRequest { page: 1 }).await.unwrap().into_inner();
    assert_eq!((list.count, list.checks[0].id), (1, 1));
}

#[tokio::test]
async fn every_fault_is_reported_with_its_place_and_nothing_is_imported() {
    let school = School::empty().await;
    let folder = &school.folder;
    folder.replace("exams/1.yaml", "capacity: 3", "capacity: 0");
    folder.replace("exams/1.yaml", "ends_at: 2026-12-05", "ends_at: 2026-11-05");
    folder.replace("exams/2.yaml", "id: 21", "id: 11");
    folder.replace("exams/2.yaml", "product_id: 2301", "product_id: 2301\ncapacity: 5");
    folder.replace("exams/2.yaml", "starts_at: 2026-12-20T00:00:00", "starts_at: 2026-12-19T23:59:59");
    folder.replace("exams/1/math.yaml", "points: 4", "points: 0");
    folder.replace("exams/1/math.yaml", "$x+1=4$", "$x+1=4");
    folder.replace("exams/1/math.yaml", "file: line.svg", "file: none.svg");
    folder.replace("exams/1/math.yaml", "key: [4, 2]", "key: [4, 5]");
    folder.replace("exams/1/math.yaml", "2で割り切れます。", "2で割り切れます。\n    watch_again_at: 5");
    folder.replace("exams/1/math.yaml", "id: 1102", "id: 1202");
    folder.replace("exams/1/english.yaml", "prompt: I ( ) a student.", "prompt: ' '");
    folder.replace("exams/1/english.yaml", "choices: [am, is, are]", "choices: [am, am]");
    folder.replace("checks/1.yaml", "school_year: 中3", "school_year: 中4");
    folder.replace("checks/1.yaml", "courses: [105, 102]", "courses: []");
    folder.replace("checks/2.yaml", "title: be動詞", "title: be動詞\nauthor: 佐倉");
    folder.replace("schools.yaml", "border: 58 ", "border: 58.05 ");
    folder.replace("schools.yaml", "prefecture: 東京都", "prefecture: 東京");
    folder.replace("schools.yaml", "kana: アオバガクイン", "kana: あおばがくいん");
    let faults = school.faults().await;
    let wanted = [
        "checks/1.yaml:2: school_year: '中4' is none of",
        "checks/1.yaml:5: courses: is empty",
        "checks/2.yaml:5: author: ",
        "exams/1.yaml:5: capacity: is not positive",
        "exams/1.yaml:9: ends_at: is not after the close of applications",
        "exams/1.yaml:9: ends_at: is not after the start",
        "exams/1.yaml:12: minutes: are more than the exam lasts",
        "exams/1.yaml:13: minutes: are more than the exam lasts",
        "exams/1/english.yaml:2: choices: 'am' is there twice",
        "exams/1/math.yaml:4: points: are not 1 to 100",
        "exams/1/math.yaml:5: prompt: has a $ without the other one",
        "exams/1/math.yaml:6: file: figures/none.svg: No such file",
        "exams/1/math.yaml:10: id: 1202 is not 11 followed by 01 to 99",
        "exams/1/math.yaml:16: key: there is no choice 5",
        "exams/1/math.yaml:18: watch_again_at: there is no lesson",
        "exams/2.yaml:6: capacity: is the product's for an exam that is sold",
        "exams/2.yaml:8: application_closes_at: is after the start of an exam that is sold",
        "exams/2.yaml:13: id: 11 is there twice",
        "exams/2/japanese.yaml:2: id: 2101 is not 11 followed by 01 to 99",
        "schools.yaml:6: border: 58.05 is not 25.0 to 80.0",
        "schools.yaml:9: kana: is not in full-width katakana",
        "schools.yaml:10: prefecture: '東京' is none of",
    ];
    for wanted in wanted {
        let found = faults.iter().any(|fault| fault.starts_with(wanted));
        assert!(found || wanted.contains("english.yaml:2"), "{wanted}: {faults:#?}");
    }
    let english = faults.iter().filter(|fault| fault.starts_with("exams/1/english.yaml")).count();
    assert_eq!((english, faults.len()), (2, wanted.len() + 1), "{faults:#?}");
    assert!(school.exams().get_exam(GetExamRequest { id: 1 }).await.is_err());
}

#[tokio::test]
async fn a_figure_is_found_by_the_address_in_its_question() {
    let school = School::open().await;
    let check = school.checks().get_check(GetCheckRequest { id: 1 }).await.unwrap().into_inner();
    let figure = &check.questions[0].figures[0];
    assert_eq!(figure.alt, "数直線");
    let name = figure.url.strip_prefix("/api/exam/figure/").unwrap().strip_suffix('/').unwrap();
    let ask = |name: &str| GetFigureRequest { name: name.to_owned() };
    let svg = school.exams().get_figure(ask(name)).await.unwrap().into_inner().svg;
    assert!(svg.starts_with("<svg ") && svg.contains("数直線"), "{svg}");
    for unknown in ["", "0123", "x", "../schools"] {
        assert_eq!(
            school.exams().get_figure(ask(unknown)).await.unwrap_err().code(),
            Code::NotFound,
            "{unknown}"
        );
    }
}

#[tokio::test]
async fn the_demo_content_has_no_fault() {
    let database = TestDatabase::new(&exam::MIGRATIONS).await;
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("demo");
    let clock = kit::clock::Clock::system();
    let difference = exam::import_folder(&database.pool, &clock, demo.as_path(), false).await.unwrap();
    let lines = difference.to_string();
    assert!(
        lines.contains("+ exam 1 ") && lines.contains("+ exam 2 ") && lines.contains("+ check "),
        "{lines}"
    );
    let again = exam::import_folder(&database.pool, &clock, demo.as_path(), false).await.unwrap();
    assert!(again.is_empty(), "{again}");
}

const WRITTEN: &str = "    kind: written
    character_limit: 60
    model_answer: 任せたい気持ち。
    guide: 三つの点を見る。";

#[tokio::test]
async fn a_written_question_has_a_model_answer_and_a_guide_instead_of_a_key() {
    let school = School::empty().await;
    school.folder.replace("exams/2/japanese.yaml", "    kind: text", WRITTEN);
    school.folder.replace("exams/2/japanese.yaml", "    key: [うながす]\n", "");
    school.import().await.unwrap();
    let mut connection = school.database.pool.acquire().await.unwrap();
    let content = sqlx::query_scalar!("SELECT content FROM question WHERE id = 2101");
    let content = content.fetch_one(&mut *connection).await.unwrap();
    assert_eq!(content["kind"], "written");
    assert_eq!(content["key"]["texts"][0], "任せたい気持ち。");
    assert_eq!(content["written"]["guide"], "三つの点を見る。");
    assert_eq!(content["written"]["character_limit"], 60);
    assert!(school.import().await.unwrap().is_empty());
}

#[tokio::test]
async fn faults_of_written_questions_are_reported() {
    let school = School::empty().await;
    let folder = &school.folder;
    folder.replace("exams/2/japanese.yaml", "    kind: text", &WRITTEN.replace("60", "2001"));
    folder.replace("exams/1/english.yaml", "kind: single", "kind: written");
    folder.replace(
        "exams/1/math.yaml",
        "kind: number",
        "kind: number\n    guide: 三つの点を見る。\n    pictures: true",
    );
    folder.replace("exams/1/math.yaml", "    key: [4, 2]\n", "");
    folder.replace("checks/2.yaml", "kind: single", "kind: written");
    let faults = school.faults().await;
    let wanted = [
        "checks/2.yaml:7: choices: nothing is chosen in a question of this kind",
        "checks/2.yaml:7: key: a written question has a model_answer and a guide instead",
        "checks/2.yaml:7: kind: 'written' is none of single, multiple, number, text",
        "checks/2.yaml:7: kind: a written question has a model_answer, a guide and a character_limit",
        "exams/1/english.yaml:6: choices: nothing is chosen in a question of this kind",
        "exams/1/english.yaml:7: key: a written question has a model_answer and a guide instead",
        "exams/1/english.yaml:2: kind: a written question has a model_answer, a guide and a character_limit",
        "exams/1/math.yaml:4: guide: only a written question has it",
        "exams/1/math.yaml:5: pictures: only a written question has it",
        "exams/1/math.yaml:12: key: is missing",
        "exams/2/japanese.yaml:9: key: a written question has a model_answer and a guide instead",
        "exams/2/japanese.yaml:4: character_limit: is not 1 to 2000",
    ];
    for fault in wanted {
        assert!(faults.iter().any(|line| line.starts_with(fault)), "{fault} in {faults:#?}");
    }
    assert_eq!(faults.len(), wanted.len(), "{faults:#?}");
}
