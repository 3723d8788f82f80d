//! Classes: the timetable, who sees it, attendance, recordings and homework.

use kit::client::Channel;
use proto::lms::class_service_client::ClassServiceClient;
use proto::lms::{
    Attendance, ClearHomeworkMarkRequest, ListClassWeekRequest, ListClassWeekResponse,
    ListLiveLessonsRequest, LiveLesson, RecordAttendanceRequest, SetHomeworkMarkRequest,
};
use time::macros::datetime;
use time::{Duration, OffsetDateTime};
use tonic::Status;
use uuid::Uuid;

use crate::school::{COURSE, LESSON, NOON, School, learner, refusal};

const NOT_FOUND: &str = "NotFound NOT_FOUND";

/// A class of course 101 on Fridays at noon, in which the first lesson starts at [`NOON`].
const FRIDAYS: &str = r#"
- id: 1
  course: 101
  name: 金曜クラス
  teacher: 1
  join_url: https://meet.konomana.example/friday
  first: 2026-11-20
  time: "12:00"
  minutes: 50
  rule: FREQ=WEEKLY;BYDAY=FR;COUNT=8
  except: [2027-01-01]
  lessons:
  - number: 1
    title: 正の数
    recording: 101010101
    homework: {text: プリント, due_days: 3}
  - {number: 2, title: 負の数}
"#;

impl School {
    fn classes(&self, learner: Uuid) -> ClassServiceClient<Channel> {
        ClassServiceClient::new(self.channel(learner))
    }

    /// A school with the class [`FRIDAYS`], and a member of it.
    async fn with_class() -> (Self, Uuid) {
        let school = Self::open().await;
        school.write_classes(FRIDAYS).await.unwrap();
        let member = learner();
        school.grant(member, COURSE).await;
        (school, member)
    }

    pub(crate) async fn write_classes(&self, classes: &str) -> Result<String, String> {
        self.folder.write("classes.yaml", &format!("classes:{classes}"));
        self.import().await.map(|difference| difference.to_string())
    }

    /// Imports the class [`FRIDAYS`] with lessons of three hours, and lets a member join the first one and do its homework.
    pub(crate) async fn attend_class(&self, member: Uuid) {
        self.write_classes(&FRIDAYS.replace("minutes: 50", "minutes: 180")).await.unwrap();
        let lesson = self.live_lessons(member, 1).await.unwrap()[0].id;
        self.join(member, lesson).await.unwrap();
        self.do_homework(member, lesson).await.unwrap();
    }

    /// Imports the class [`FRIDAYS`]. The homework of the first lesson is due this many days after it.
    pub(crate) async fn open_class(&self, due_days: u16) {
        let classes = FRIDAYS.replace("due_days: 3", &format!("due_days: {due_days}"));
        self.write_classes(&classes).await.unwrap();
    }

    async fn class_week(&self, learner: Uuid, day: &str) -> Result<ListClassWeekResponse, Status> {
        let request = ListClassWeekRequest { day: day.to_owned() };
        Ok(self.classes(learner).list_class_week(request).await?.into_inner())
    }

    async fn live_lessons(&self, learner: Uuid, class_id: i64) -> Result<Vec<LiveLesson>, Status> {
        let request = ListLiveLessonsRequest { class_id };
        Ok(self.classes(learner).list_live_lessons(request).await?.into_inner().lessons)
    }

    /// Returns a lesson of class 1 by its number.
    async fn live_lesson(&self, learner: Uuid, number: i32) -> LiveLesson {
        let lessons = self.live_lessons(learner, 1).await.unwrap();
        lessons.into_iter().find(|lesson| lesson.number == number).unwrap()
    }

    async fn join(&self, learner: Uuid, live_lesson_id: i64) -> Result<(), Status> {
        let request = RecordAttendanceRequest { live_lesson_id };
        self.classes(learner).record_attendance(request).await.map(drop)
    }

    /// Joins a lesson of a class, by the lesson's number.
    pub(crate) async fn join_live_lesson(&self, learner: Uuid, class: i64, number: i32) {
        let lessons = self.live_lessons(learner, class).await.unwrap();
        let lesson = lessons.iter().find(|lesson| lesson.number == number).unwrap();
        self.join(learner, lesson.id).await.unwrap();
    }

    async fn do_homework(&self, learner: Uuid, live_lesson_id: i64) -> Result<(), Status> {
        let request = SetHomeworkMarkRequest { live_lesson_id };
        self.classes(learner).set_homework_mark(request).await.map(drop)
    }

    /// Marks the homework of a lesson of a class as done, by the lesson's number.
    pub(crate) async fn do_homework_of(&self, learner: Uuid, class: i64, number: i32) {
        let lessons = self.live_lessons(learner, class).await.unwrap();
        let lesson = lessons.iter().find(|lesson| lesson.number == number).unwrap();
        self.do_homework(learner, lesson.id).await.unwrap();
    }

    /// Moves the clock to a time.
    fn at(&self, time: OffsetDateTime) {
        self.clock.advance(time - self.clock.clock().now());
    }
}

/// The starts of the lessons, in seconds after [`NOON`].
fn starts(lessons: &[LiveLesson]) -> Vec<i64> {
    lessons.iter().map(|lesson| lesson.starts_at.unwrap().seconds - NOON.unix_timestamp()).collect()
}

#[tokio::test]
async fn a_member_sees_the_weeks_of_the_timetable_over_the_end_of_the_year() {
    let (school, member) = School::with_class().await;
    let week = school.class_week(member, "").await.unwrap();
    assert_eq!(week.monday, "2026-11-16");
    assert_eq!((week.has_previous, week.has_next, week.lessons.len()), (false, true, 1));
    let [class] = &week.classes[..] else { panic!("{:?}", week.classes) };
    assert_eq!((class.name.as_str(), class.course_name.as_str()), ("金曜クラス", "講座101"));
    assert_eq!((class.teacher_id, class.teacher_name.as_str()), (1, "高瀬航"));
    assert_eq!(class.item_id, school.page(member, 1, false).await.unwrap().items[0].id);
    assert_eq!(class.next_lesson.as_ref(), Some(&week.lessons[0]));

    // 1 January is excepted, so the seventh lesson is a week later.
    let empty = school.class_week(member, "2027-01-01").await.unwrap();
    assert_eq!((empty.monday.as_str(), empty.lessons.len()), ("2026-12-28", 0));
    assert_eq!((empty.has_previous, empty.has_next), (true, true));
    let last = school.class_week(member, "2027-01-08").await.unwrap();
    assert_eq!((last.lessons[0].number, last.has_next), (7, false));
    assert_eq!(school.live_lessons(member, 1).await.unwrap().len(), 7);
    for (day, code) in [("tomorrow", "Invalid INVALID"), ("2029-01-01", "Invalid INVALID")] {
        assert_eq!(refusal(school.class_week(member, day).await), code, "{day}");
    }
}

#[tokio::test]
async fn the_link_to_join_is_there_from_10_minutes_before_the_start_until_the_end() {
    let (school, member) = School::with_class().await;
    let id = school.live_lesson(member, 2).await.id;
    let start = NOON + Duration::WEEK;
    for (time, is_open) in [
        (start - Duration::minutes(10) - Duration::SECOND, false),
        (start - Duration::minutes(10), true),
        (start + Duration::minutes(50) - Duration::SECOND, true),
        (start + Duration::minutes(50), false),
    ] {
        school.at(time);
        let url = school.live_lesson(member, 2).await.join_url;
        assert_eq!(url.as_deref(), is_open.then_some("https://meet.konomana.example/friday"), "{time}");
        let joined = school.join(member, id).await;
        assert_eq!(joined.is_ok(), is_open, "{time}");
    }
    assert_eq!(refusal(school.join(member, id).await), NOT_FOUND);
}

#[tokio::test]
async fn attendance_is_joined_absent_or_the_recording_watched_the_next_day() {
    let (school, member) = School::with_class().await;
    let (absent, id) = (learner(), school.live_lesson(member, 1).await.id);
    school.grant(absent, COURSE).await;
    school.join(member, id).await.unwrap();
    school.join(member, id).await.unwrap();
    let attendance = async |who| {
        let lesson = school.live_lesson(who, 1).await;
        (lesson.attendance(), lesson.recording_id)
    };
    assert_eq!(attendance(member).await, (Attendance::Joined, None));
    assert_eq!(attendance(absent).await, (Attendance::Unspecified, None), "it is not over");
    school.clock.advance(Duration::minutes(50));
    assert_eq!(attendance(absent).await, (Attendance::Absent, None));
    school.check_lesson(absent, LESSON).await.unwrap();
    assert_eq!(attendance(absent).await, (Attendance::Absent, None), "there is no recording yet");
    school.at(datetime!(2026-11-20 15:00 UTC) - Duration::SECOND);
    assert_eq!(attendance(absent).await, (Attendance::Absent, None));
    school.at(datetime!(2026-11-20 15:00 UTC));
    assert_eq!(attendance(absent).await, (Attendance::Watched, Some(LESSON)), "midnight in Tokyo");
    assert_eq!(attendance(member).await, (Attendance::Joined, Some(LESSON)));

    // A learner who gets the course later was not absent before.
    let late = learner();
    school.grant(late, COURSE).await;
    assert_eq!(attendance(late).await, (Attendance::Unspecified, Some(LESSON)));
}

#[tokio::test]
async fn a_learner_whose_course_had_expired_was_not_absent_meanwhile() {
    let (school, _) = School::with_class().await;
    let lapsed = learner();
    school.grant_until(lapsed, COURSE, Some(NOON + Duration::HOUR)).await;
    school.at(NOON + Duration::weeks(2) + Duration::HOUR);
    school.grant(lapsed, COURSE).await;
    let lessons = school.live_lessons(lapsed, 1).await.unwrap();
    let attendances: Vec<_> = lessons[..3].iter().map(LiveLesson::attendance).collect();
    assert_eq!(attendances, [Attendance::Absent, Attendance::Unspecified, Attendance::Unspecified]);
}

#[tokio::test]
async fn homework_is_given_at_the_start_and_is_late_after_the_end_of_its_day() {
    let (school, member) = School::with_class().await;
    let id = school.live_lesson(member, 1).await.id;
    school.clock.advance(-Duration::SECOND);
    assert_eq!(refusal(school.do_homework(member, id).await), NOT_FOUND);
    assert!(school.class_week(member, "").await.unwrap().homework.is_empty());
    school.clock.advance(Duration::SECOND);
    let homework = async || {
        let mut list = school.class_week(member, "").await.unwrap().homework;
        list.pop().map(|lesson| lesson.homework.unwrap())
    };
    let given = homework().await.unwrap();
    // 24 November at 00:00 in Tokyo.
    let due = datetime!(2026-11-23 15:00 UTC);
    assert_eq!((given.text.as_str(), given.due_at.unwrap().seconds), ("プリント", due.unix_timestamp()));
    assert_eq!((given.done_at, given.is_late), (None, false));
    school.at(due - Duration::SECOND);
    assert!(!homework().await.unwrap().is_late);
    school.do_homework(member, id).await.unwrap();
    let done = homework().await.unwrap();
    assert_eq!((done.done_at.unwrap().seconds, done.is_late), (due.unix_timestamp() - 1, false));
    school.at(due);
    school.do_homework(member, id).await.unwrap();
    assert_eq!(homework().await.unwrap(), done, "the first time counts");
    for _ in 0..2 {
        let request = ClearHomeworkMarkRequest { live_lesson_id: id };
        school.classes(member).clear_homework_mark(request).await.unwrap();
    }
    assert!(homework().await.unwrap().is_late);
    school.at(due + Duration::days(20));
    school.do_homework(member, id).await.unwrap();
    assert!(homework().await.unwrap().is_late, "done late");
    school.at(due + Duration::days(34));
    assert_eq!(homework().await, None);
}

#[tokio::test]
async fn a_moved_lesson_keeps_its_id_and_a_cancelled_one_has_no_link() {
    let (school, member) = School::with_class().await;
    let before = school.live_lessons(member, 1).await.unwrap();
    let moved = "- {number: 2, title: 負の数, moved: {days: -1, time: \"18:00\", reason: 会場の都合}}\n  \
                 - {number: 3, title: 加法, cancelled: 学校行事}";
    let text = FRIDAYS.replace("- {number: 2, title: 負の数}", moved);
    assert_eq!(school.write_classes(&text).await.unwrap().lines().next(), Some("~ class 1 lessons"));
    let after = school.live_lessons(member, 1).await.unwrap();
    let ids = |lessons: &[LiveLesson]| lessons.iter().map(|lesson| lesson.id).collect::<Vec<_>>();
    assert_eq!(ids(&after), ids(&before));
    assert_eq!(after.iter().map(|lesson| lesson.revision).collect::<Vec<_>>(), [0, 1, 1, 0, 0, 0, 0]);
    let lesson = &after[1];
    assert_eq!(lesson.starts_at.unwrap().seconds, datetime!(2026-11-26 09:00 UTC).unix_timestamp());
    assert_eq!(lesson.ends_at.unwrap().seconds, datetime!(2026-11-26 09:50 UTC).unix_timestamp());
    assert_eq!(lesson.moved_from, before[1].starts_at);
    assert_eq!(lesson.reason, "会場の都合");
    assert_eq!((after[2].is_cancelled, after[2].reason.as_str()), (true, "学校行事"));
    assert_eq!(school.import().await.unwrap().to_string(), "= 4 as they were");

    school.at(NOON + Duration::weeks(2));
    assert_eq!(school.live_lesson(member, 3).await.join_url, None);
    assert_eq!(refusal(school.join(member, after[2].id).await), NOT_FOUND);
    let next = school.class_week(member, "").await.unwrap().classes[0].next_lesson.clone().unwrap();
    assert_eq!(next.number, 4, "a cancelled lesson is not the next one");
    school.clock.advance(Duration::DAY);
    assert_eq!(school.live_lesson(member, 3).await.attendance(), Attendance::Unspecified);
}

#[tokio::test]
async fn a_new_timetable_leaves_past_lessons_and_deletes_lessons_that_are_no_longer_in_it() {
    let (school, member) = School::with_class().await;
    let before = school.live_lessons(member, 1).await.unwrap();
    school.clock.advance(Duration::DAY);
    let text =
        FRIDAYS.replace("time: \"12:00\"", "time: \"13:00\"").replace("BYDAY=FR;COUNT=8", "BYDAY=FR;COUNT=4");
    school.write_classes(&text).await.unwrap();
    let after = school.live_lessons(member, 1).await.unwrap();
    let week = Duration::WEEK.whole_seconds();
    let hour = Duration::HOUR.whole_seconds();
    assert_eq!(starts(&after), [0, week + hour, 2 * week + hour, 3 * week + hour]);
    assert_eq!((after[0].id, after[0].revision), (before[0].id, 0));
    assert_eq!((after[1].id, after[1].revision), (before[1].id, 1));
}

#[tokio::test]
async fn the_homework_of_a_past_lesson_keeps_its_due_date_in_a_new_timetable() {
    let (school, member) = School::with_class().await;
    school.clock.advance(Duration::DAY);
    let before = school.class_week(member, "").await.unwrap().homework;
    school.write_classes(&FRIDAYS.replace("first: 2026-11-20", "first: 2026-11-27")).await.unwrap();
    assert_eq!(starts(&school.live_lessons(member, 1).await.unwrap())[0], 0);
    assert_eq!(school.class_week(member, "").await.unwrap().homework, before);
}

#[tokio::test]
async fn days_that_count_from_the_import_stay_at_the_next_import() {
    let (school, member) = School::with_class().await;
    let text = FRIDAYS.replace("first: 2026-11-20", "first: -P1W").replace("id: 1", "id: 2");
    school.write_classes(&format!("{FRIDAYS}{text}")).await.unwrap();
    let before = school.live_lessons(member, 2).await.unwrap();
    assert_eq!(starts(&before)[..2], [-Duration::WEEK.whole_seconds(), 0], "from the Monday a week before");
    school.clock.advance(Duration::days(30));
    school.write_classes(&format!("{FRIDAYS}{}", text.replace("金曜", "新しい"))).await.unwrap();
    assert_eq!(starts(&school.live_lessons(member, 2).await.unwrap()), starts(&before));
}

#[tokio::test]
async fn a_class_does_not_exist_for_strangers_and_after_the_end_of_the_course() {
    let (school, member) = School::with_class().await;
    let id = school.live_lesson(member, 1).await.id;
    let (stranger, expired) = (learner(), learner());
    school.grant(stranger, 102).await;
    school.grant_until(expired, COURSE, Some(NOON + Duration::HOUR)).await;
    school.join(expired, id).await.unwrap();
    school.do_homework(expired, id).await.unwrap();
    school.clock.advance(Duration::HOUR);
    for who in [stranger, expired] {
        let week = school.class_week(who, "").await.unwrap();
        assert_eq!(
            week,
            ListClassWeekResponse { monday: "2026-11-16".to_owned(), ..Default::default() },
            "{who}"
        );
        assert_eq!(refusal(school.live_lessons(who, 1).await), NOT_FOUND);
        assert_eq!(refusal(school.join(who, id).await), NOT_FOUND);
        assert_eq!(refusal(school.do_homework(who, id).await), NOT_FOUND);
    }
    // The marks stay for the export.
    assert_eq!(school.export(expired).await.attendances.len(), 1);
    school.erase(Uuid::now_v7(), expired).await;
    assert!(school.export(expired).await.homework_marks.is_empty());
}

#[tokio::test]
async fn faults_of_classes_are_reported_with_their_line() {
    let (school, _) = School::with_class().await;
    for (from, to, fault) in [
        ("course: 101", "course: 109", "classes.yaml:3: course: 109 is not in courses"),
        ("teacher: 1", "teacher: 9", "classes.yaml:5: teacher: 9 is not in teachers.yaml"),
        (
            "https://meet",
            "http://meet",
            "join_url: 'http://meet.konomana.example/friday' is not an https address",
        ),
        ("2026-11-20", "2026-02-29", "classes.yaml:7: first: '2026-02-29' is not a day like 2025-03-10"),
        ("\"12:00\"", "\"25:00\"", "classes.yaml:8: time: '25:00' is not a time like 18:30"),
        ("minutes: 50", "minutes: 0", "classes.yaml:9: minutes: is not from 1 to 300"),
        (";COUNT=8", "", "classes.yaml:10: rule: has neither COUNT nor UNTIL"),
        ("number: 1", "number: 8", "number: 8 is not a lesson of the timetable"),
        ("number: 1", "number: 2", "number: 2 is there twice"),
        ("recording: 101010101", "recording: 102010101", "102010101 is not a lesson of course 101"),
        ("id: 1", "id: 3", "classes: 1 (金曜クラス) is in the catalogue and no longer here"),
    ] {
        let faults = school.write_classes(&FRIDAYS.replace(from, to)).await.unwrap_err();
        assert!(faults.contains(fault), "{fault}: {faults}");
    }
}
