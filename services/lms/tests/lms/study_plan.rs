//! The study plan: what it contains, how it moves by itself, and the minutes.

use kit::client::Channel;
use proto::lms::study_plan_service_client::StudyPlanServiceClient;
use proto::lms::{
    ExamAhead, GetStudyPlanRequest, GetStudyPlanResponse, PlanDeadline, PlannedDay, SetStudyMinutesRequest,
};
use time::macros::datetime;
use time::{Duration, OffsetDateTime};
use tonic::Status;
use uuid::Uuid;

use crate::entitlement::timestamp;
use crate::school::{COURSE, Folder, LESSONS, NOON, RULES, School, learner, refusal};
use crate::watch::beat;

impl School {
    fn study_plans(&self, learner: Uuid) -> StudyPlanServiceClient<Channel> {
        StudyPlanServiceClient::new(self.channel(learner))
    }

    async fn plan(&self, learner: Uuid) -> GetStudyPlanResponse {
        self.plan_with(learner, Vec::new()).await
    }

    async fn plan_with(&self, learner: Uuid, exams: Vec<ExamAhead>) -> GetStudyPlanResponse {
        self.study_plans(learner).get_study_plan(GetStudyPlanRequest { exams }).await.unwrap().into_inner()
    }

    pub(crate) async fn set_minutes(&self, learner: Uuid, minutes: u32) -> Result<(), Status> {
        let request = SetStudyMinutesRequest { minutes };
        self.study_plans(learner).set_study_minutes(request).await.map(drop)
    }
}

/// The ids of the lessons of each day until the last day with a lesson.
fn lessons(plan: &GetStudyPlanResponse) -> Vec<Vec<i64>> {
    let mut days: Vec<Vec<i64>> =
        plan.days.iter().map(|day| day.lessons.iter().map(|lesson| lesson.id).collect()).collect();
    while days.last().is_some_and(Vec::is_empty) {
        days.pop();
    }
    days
}

/// A school with courses 101 of mathematics and 102 of English, each with six lessons of 100 to 600 seconds.
async fn two_courses() -> School {
    let folder = Folder::new();
    folder.course_of(101, "中1", "数学", 6);
    folder.course_of(102, "中1", "英語", 6);
    School::with(folder, RULES).await
}

const ENGLISH: [i64; 6] = [102_010_101, 102_010_102, 102_010_103, 102_010_104, 102_010_105, 102_010_106];

#[tokio::test]
async fn a_learner_who_never_chose_has_15_minutes_for_each_of_14_days() {
    let school = two_courses().await;
    let one = learner();
    school.grant(one, 102).await;
    let plan = school.plan(one).await;
    assert_eq!((plan.minutes, plan.watched_seconds, plan.days.len()), (15, 0, 14));
    assert_eq!((plan.days[0].date.as_str(), plan.days[13].date.as_str()), ("2026-11-20", "2026-12-03"));
    // 100 + 200 + 300, 400 + 500 and 600 seconds.
    assert_eq!(lessons(&plan), [&ENGLISH[..3], &ENGLISH[3..5], &ENGLISH[5..]]);
    let first = &plan.days[0].lessons[0];
    assert_eq!((first.name.as_str(), first.course_name.as_str()), ("講義1", "講座102"));
    assert_eq!((first.duration, first.seconds_left, first.is_done), (100, 100, false));
    assert_eq!((plan.later_count, plan.shortfalls.len(), plan.enough_minutes), (0, 0, None));
    assert_eq!(lessons(&school.plan(learner()).await), Vec::<Vec<i64>>::new(), "no course, no lesson");
}

#[tokio::test]
async fn the_minutes_change_the_plan_and_0_switches_it_off() {
    let school = two_courses().await;
    let (one, other) = (learner(), learner());
    school.grant(one, 102).await;
    for minutes in [5, 5, 120] {
        school.set_minutes(one, minutes).await.unwrap();
    }
    assert_eq!(lessons(&school.plan(one).await), [ENGLISH]);
    school.set_minutes(one, 5).await.unwrap();
    let plan = school.plan(one).await;
    assert_eq!((plan.minutes, lessons(&plan).len()), (5, 5), "lessons of more than 5 minutes are alone");
    school.set_minutes(one, 0).await.unwrap();
    assert_eq!(school.plan(one).await, GetStudyPlanResponse::default());
    assert_eq!(school.plan(other).await.minutes, 15);
    for minutes in [1, 7, 125, u32::MAX] {
        assert_eq!(refusal(school.set_minutes(one, minutes).await), "Invalid INVALID", "{minutes}");
    }
}

#[tokio::test]
async fn the_course_that_expires_first_comes_first_and_what_does_not_fit_is_said() {
    let school = two_courses().await;
    let one = learner();
    school.grant_until(one, 101, Some(datetime!(2026-12-20 00:00 +9))).await;
    // The last day is 21 November.
    school.grant_until(one, 102, Some(datetime!(2026-11-22 00:00 +9))).await;
    let plan = school.plan(one).await;
    assert_eq!(
        lessons(&plan)[..2],
        [&[ENGLISH[0], ENGLISH[1], ENGLISH[2], 101_010_101, 101_010_102], &ENGLISH[3..5]]
    );
    let [left] = &plan.shortfalls[..] else { panic!("{:?}", plan.shortfalls) };
    assert_eq!((left.course_id, left.course_name.as_str()), (102, "講座102"));
    assert_eq!(
        (left.deadline(), left.date.as_str(), left.lesson_count),
        (PlanDeadline::Expiry, "2026-11-21", 1)
    );
    assert_eq!(plan.enough_minutes, Some(20));
    school.set_minutes(one, 20).await.unwrap();
    let plan = school.plan(one).await;
    assert_eq!((plan.shortfalls.len(), plan.enough_minutes), (0, None));
    assert!(lessons(&plan)[..2].concat().contains(&ENGLISH[5]));

    school.clock.advance(Duration::days(2));
    let plan = school.plan(one).await;
    assert_eq!(plan.days[0].date, "2026-11-22");
    assert!(lessons(&plan).concat().iter().all(|lesson| *lesson < ENGLISH[0]), "the course has expired");
}

#[tokio::test]
async fn an_exam_brings_the_course_of_its_subject_forward() {
    let school = two_courses().await;
    let one = learner();
    school.grant_until(one, 101, Some(NOON + Duration::days(10))).await;
    school.grant(one, 102).await;
    assert_eq!(school.plan(one).await.days[0].lessons[0].course_id, 101);
    let exam = |subject: &str, starts_at| ExamAhead {
        subjects: vec!["国語".to_owned(), subject.to_owned()],
        starts_at: Some(timestamp(starts_at)),
    };
    let starts_at = datetime!(2026-11-22 00:00 +9);
    let plan = school.plan_with(one, vec![exam("英語", starts_at), exam("社会", starts_at)]).await;
    assert_eq!(plan.days[0].lessons[0].course_id, 102);
    let [left] = &plan.shortfalls[..] else { panic!("{:?}", plan.shortfalls) };
    assert_eq!(
        (left.deadline(), left.date.as_str(), left.lesson_count),
        (PlanDeadline::Exam, "2026-11-21", 1)
    );
    assert!(lessons(&plan).concat().contains(&ENGLISH[5]), "it is planned after the exam");
    let begun = school.plan_with(one, vec![exam("英語", NOON)]).await;
    assert_eq!(begun, school.plan(one).await, "an exam of today is too late to prepare for");
    let nameless = ExamAhead { subjects: Vec::new(), starts_at: None };
    let request = GetStudyPlanRequest { exams: vec![nameless] };
    assert_eq!(refusal(school.study_plans(one).get_study_plan(request).await), "Invalid INVALID");
}

#[tokio::test]
async fn what_was_watched_today_counts_for_today_and_a_missed_day_spreads_again() {
    let school = School::open().await;
    let one = learner();
    school.grant(one, COURSE).await;
    school.set_minutes(one, 5).await.unwrap();
    // 100, 200 and 300 seconds.
    assert_eq!(lessons(&school.plan(one).await), [&LESSONS[..2], &LESSONS[2..]]);

    beat(&school, one, LESSONS[0], 100, 0..100, 1).await.unwrap();
    let plan = school.plan(one).await;
    assert_eq!(
        (plan.watched_seconds, lessons(&plan)),
        (100, vec![LESSONS[..2].to_vec(), LESSONS[2..].to_vec()])
    );
    let [done, next] = &plan.days[0].lessons[..] else { panic!("{:?}", plan.days[0]) };
    assert_eq!((done.is_done, done.seconds_left), (true, 0));
    assert_eq!((next.is_done, next.seconds_left), (false, 200));

    beat(&school, one, LESSONS[1], 50, 0..50, 2).await.unwrap();
    let plan = school.plan(one).await;
    assert_eq!(plan.days[0].lessons[1].seconds_left, 150);
    assert_eq!(lessons(&plan), [&LESSONS[..2], &LESSONS[2..]]);

    school.clock.advance(Duration::days(3));
    let plan = school.plan(one).await;
    assert_eq!((plan.days[0].date.as_str(), plan.watched_seconds), ("2026-11-23", 0));
    assert_eq!(lessons(&plan), [&LESSONS[1..2], &LESSONS[2..]], "150 + 300 seconds are more than 5 minutes");
}

#[tokio::test]
async fn a_lesson_whose_check_was_removed_starts_again() {
    let school = School::open().await;
    let one = learner();
    school.grant(one, COURSE).await;
    beat(&school, one, LESSONS[0], 100, 0..100, 1).await.unwrap();
    school.uncheck_lesson(one, LESSONS[0]).await;
    let plan = school.plan(one).await;
    let first = &plan.days[0].lessons[0];
    assert_eq!((first.id, first.seconds_left, first.is_done), (LESSONS[0], 100, false));
}

/// A class of course 102 with lessons at noon on 20, 21 and 27 November and homework: with the recording of the fourth lesson,
/// without one, and cancelled.
const DAILY: &str = r#"
- id: 1
  course: 102
  name: 英語クラス
  teacher: 1
  join_url: https://meet.konomana.example/english
  first: 2026-11-20
  time: "12:00"
  minutes: 50
  rule: FREQ=WEEKLY;BYDAY=FR,SA;COUNT=3
  lessons:
  - {number: 1, title: 一, recording: 102010104, homework: {text: 音読, due_days: 3}}
  - {number: 2, title: 二, homework: {text: プリント, due_days: 1}}
  - {number: 3, title: 三, cancelled: 休み, homework: {text: 作文, due_days: 2}}
"#;

/// A learner of both courses with homework in course 102. It is 21 November at noon, after the second live lesson began.
async fn with_homework(end: Option<OffsetDateTime>) -> (School, Uuid) {
    let school = two_courses().await;
    school.write_classes(DAILY).await.unwrap();
    let one = learner();
    school.grant_until(one, 101, Some(datetime!(2026-11-27 00:00 +9))).await;
    school.grant_until(one, 102, end).await;
    school.clock.advance(Duration::DAY);
    (school, one)
}

/// The lessons of a day with the last day of their homework, and the homework with its last day.
fn words(day: &PlannedDay) -> Vec<String> {
    let lessons = day.lessons.iter().map(|lesson| match &lesson.homework_due_date {
        Some(due) => format!("{} {due}", lesson.id),
        None => lesson.id.to_string(),
    });
    let homework = day.homework.iter().map(|homework| {
        format!("{} {}{}", homework.text, homework.due_date, if homework.is_done { " done" } else { "" })
    });
    lessons.chain(homework).collect()
}

#[tokio::test]
async fn homework_and_the_lesson_of_its_recording_come_before_a_later_deadline() {
    let (school, one) = with_homework(None).await;
    school.set_minutes(one, 20).await.unwrap();
    let plan = school.plan(one).await;
    // 600, then 400, 100 and 100 seconds: the homework of 600 seconds that is due a day later does not fit.
    assert_eq!(
        words(&plan.days[0]),
        ["102010104 2026-11-23", "101010101", "102010101", "プリント 2026-11-22"]
    );
    assert_eq!(words(&plan.days[1]), ["101010102", "101010103", "音読 2026-11-23"]);
    let homework = &plan.days[0].homework[0];
    assert_eq!((homework.class_id, homework.class_name.as_str()), (1, "英語クラス"));
    assert_eq!(plan.shortfalls, []);
    assert_eq!(
        lessons(&plan).concat().iter().filter(|lesson| **lesson == ENGLISH[3]).count(),
        1,
        "the lesson is planned once"
    );
}

#[tokio::test]
async fn done_homework_counts_for_today_and_leaves_the_plan() {
    let (school, one) = with_homework(None).await;
    school.set_minutes(one, 20).await.unwrap();
    let before = school.plan(one).await;
    school.do_homework_of(one, 1, 2).await;
    let plan = school.plan(one).await;
    assert_eq!(
        words(&plan.days[0]),
        ["102010104 2026-11-23", "101010101", "102010101", "プリント 2026-11-22 done"]
    );
    assert_eq!(plan.watched_seconds, 0);
    assert_eq!(plan.days[1..], before.days[1..], "nothing is planned in its place");
    school.do_homework_of(one, 1, 1).await;
    let plan = school.plan(one).await;
    assert!(plan.days.iter().flat_map(|day| &day.lessons).all(|lesson| lesson.homework_due_date.is_none()));
    school.clock.advance(Duration::DAY);
    let tomorrow = school.plan(one).await;
    assert!(tomorrow.days.iter().all(|day| day.homework.is_empty()), "{:?}", tomorrow.days);
}

#[tokio::test]
async fn a_changed_date_moves_the_homework_and_overdue_homework_has_no_day() {
    let (school, one) = with_homework(None).await;
    let plan = school.plan(one).await;
    assert_eq!(words(&plan.days[0]), ["101010101", "101010102", "プリント 2026-11-22"]);
    school.write_classes(&DAILY.replace("due_days: 1}", "due_days: 9}")).await.unwrap();
    let plan = school.plan(one).await;
    assert_eq!(words(&plan.days[0]), ["102010104 2026-11-23", "101010101", "101010102", "102010101"]);
    let planned = plan.days.iter().position(|day| words(day).contains(&"プリント 2026-11-30".to_owned()));
    assert_eq!(planned, Some(4), "after the course that expires on 26 November");

    school.clock.advance(datetime!(2026-11-24 00:00 +9) - school.clock.clock().now());
    let overdue = school.plan(one).await;
    let texts = overdue.days.iter().flat_map(|day| &day.homework).map(|homework| homework.text.as_str());
    assert_eq!(texts.collect::<Vec<_>>(), ["プリント"]);
}

#[tokio::test]
async fn homework_that_does_not_fit_is_said_with_its_last_day() {
    let (school, one) = with_homework(None).await;
    school.set_minutes(one, 5).await.unwrap();
    school.clock.advance(Duration::DAY);
    let plan = school.plan(one).await;
    let left: Vec<_> = plan
        .shortfalls
        .iter()
        .filter(|left| left.course_id == 102)
        .map(|left| (left.deadline(), left.date.as_str(), left.lesson_count))
        .collect();
    // 22 November has the homework that is due then, the 23rd the lesson of the recording. Its homework remains.
    assert_eq!(left, [(PlanDeadline::Homework, "2026-11-23", 1)]);
    let texts = plan.days.iter().flat_map(|day| &day.homework).map(|homework| homework.text.as_str());
    assert_eq!(texts.collect::<Vec<_>>(), ["プリント"], "it would be overdue on the 24th");
}

#[tokio::test]
async fn homework_stays_on_its_last_day_after_other_lessons_were_watched() {
    let (school, one) = with_homework(None).await;
    school.clock.advance(Duration::DAY);
    beat(&school, one, ENGLISH[3], 400, 0..400, 1).await.unwrap();
    let plan = school.plan(one).await;
    assert_eq!((plan.minutes, plan.watched_seconds), (15, 400), "10 minutes do not fit any more");
    assert_eq!(words(&plan.days[0]), ["102010104", "プリント 2026-11-22"]);
}

#[tokio::test]
async fn a_learner_who_joined_needs_no_recording_for_the_homework() {
    let school = two_courses().await;
    school.write_classes(DAILY).await.unwrap();
    let one = learner();
    school.grant_until(one, 102, None).await;
    school.join_live_lesson(one, 1, 1).await;
    school.clock.advance(Duration::DAY);
    let plan = school.plan(one).await;
    assert!(plan.days.iter().any(|day| day.homework.iter().any(|homework| homework.text == "音読")));
    assert!(plan.days.iter().flat_map(|day| &day.lessons).all(|lesson| lesson.homework_due_date.is_none()));
}

#[tokio::test]
async fn homework_of_a_course_that_expires_first_ends_with_the_course() {
    let (school, one) = with_homework(Some(datetime!(2026-11-23 00:00 +9))).await;
    school.set_minutes(one, 5).await.unwrap();
    let plan = school.plan(one).await;
    let own = plan.shortfalls.iter().filter(|left| left.course_id == 102);
    let own: Vec<_> = own.map(|left| (left.deadline(), left.date.as_str(), left.lesson_count)).collect();
    // Of six lessons and two pieces of homework, two fit.
    assert_eq!(own, [(PlanDeadline::Expiry, "2026-11-22", 6)], "one for the course and its homework");
}

#[tokio::test]
async fn an_exam_before_the_homework_keeps_the_lesson_in_its_course() {
    let (school, one) = with_homework(None).await;
    let exam =
        |starts_at| ExamAhead { subjects: vec!["英語".to_owned()], starts_at: Some(timestamp(starts_at)) };
    let marked = |plan: &GetStudyPlanResponse| {
        plan.days
            .iter()
            .flat_map(|day| &day.lessons)
            .filter(|lesson| lesson.homework_due_date.is_some())
            .count()
    };
    let before = school.plan_with(one, vec![exam(datetime!(2026-11-23 00:00 +9))]).await;
    assert_eq!((marked(&before), lessons(&before)[0][0]), (0, ENGLISH[0]));
    let after = school.plan_with(one, vec![exam(datetime!(2026-11-24 00:00 +9))]).await;
    assert_eq!(marked(&after), 1);
}
