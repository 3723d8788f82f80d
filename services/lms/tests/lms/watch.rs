use std::ops::Range;

use futures_util::future::join_all;
use proto::lms::{
    GetWeekRequest, ListRecentRequest, ListRecentResponse, RecordBeatRequest, RecordBeatResponse, Stretch,
};
use time::Duration;
use tonic::Status;
use uuid::Uuid;

use crate::school::{COURSE, LESSON, LESSONS, NOON, RULES, School, learner, refusal};

/// Sends a heartbeat of a player on `lesson` with one watched interval.
pub(crate) async fn beat(
    school: &School,
    learner: Uuid,
    lesson: i64,
    position: u32,
    watched: Range<u32>,
    sequence: i64,
) -> Result<RecordBeatResponse, Status> {
    beat_of(school, learner, lesson, position, &[watched], sequence).await
}

/// Sends a heartbeat with these watched intervals. The learner has enough credit; `credit.rs` tests
/// its limits.
async fn beat_of(
    school: &School,
    learner: Uuid,
    lesson_id: i64,
    position: u32,
    watched: &[Range<u32>],
    sequence: i64,
) -> Result<RecordBeatResponse, Status> {
    school.open_lesson(learner, lesson_id).await;
    let watched = watched.iter().map(|stretch| Stretch { from: stretch.start, to: stretch.end }).collect();
    let request = RecordBeatRequest { lesson_id, position, watched, sequence, ..Default::default() };
    school.watching(learner).record_beat(request).await.map(tonic::Response::into_inner)
}

async fn school_with_learner() -> (School, Uuid) {
    let school = School::open().await;
    let learner = learner();
    school.grant(learner, COURSE).await;
    (school, learner)
}

/// The response for a lesson of 100 seconds.
fn response(position: u32, furthest: u32, covered: u32, is_check: bool) -> RecordBeatResponse {
    RecordBeatResponse { position, covered, is_check, furthest, is_done: covered >= 90 }
}

#[tokio::test]
async fn heartbeats_in_order_cover_their_intervals() {
    let (school, learner) = school_with_learner().await;
    for (number, end) in (1..).zip([15, 30, 45]) {
        let standing = beat(&school, learner, LESSON, end, end - 15..end, number).await.unwrap();
        assert_eq!(standing, response(end, end, end, false));
    }
}

#[tokio::test]
async fn skipping_does_not_count_and_watching_twice_counts_once() {
    let (school, learner) = school_with_learner().await;
    beat(&school, learner, LESSON, 15, 0..15, 1).await.unwrap();
    assert_eq!(beat(&school, learner, LESSON, 90, 90..90, 2).await.unwrap(), response(90, 90, 15, false));
    assert_eq!(beat(&school, learner, LESSON, 20, 0..20, 3).await.unwrap(), response(20, 90, 20, false));
}

#[tokio::test]
async fn a_heartbeat_may_have_several_intervals() {
    let (school, learner) = school_with_learner().await;
    let intervals = [0..10, 30..40, 5..20, 90..90];
    assert_eq!(
        beat_of(&school, learner, LESSON, 20, &intervals, 1).await.unwrap(),
        response(20, 90, 30, false)
    );
    assert_eq!(beat_of(&school, learner, LESSON, 25, &[], 2).await.unwrap(), response(25, 90, 30, false));
    let many = vec![40..45; 20];
    assert_eq!(beat_of(&school, learner, LESSON, 45, &many, 3).await.unwrap(), response(45, 90, 35, false));
    let more = vec![40..45; 21];
    assert_eq!(refusal(beat_of(&school, learner, LESSON, 45, &more, 4).await), "Invalid INVALID");
}

#[tokio::test]
async fn a_repeated_heartbeat_changes_nothing() {
    let (school, learner) = school_with_learner().await;
    let once = beat(&school, learner, LESSON, 15, 0..15, 7).await.unwrap();
    assert_eq!(beat(&school, learner, LESSON, 15, 0..15, 7).await.unwrap(), once);
}

#[tokio::test]
async fn a_late_heartbeat_adds_coverage_and_keeps_the_position() {
    let (school, learner) = school_with_learner().await;
    beat(&school, learner, LESSON, 45, 30..45, 3).await.unwrap();
    assert_eq!(beat(&school, learner, LESSON, 15, 0..15, 1).await.unwrap(), response(45, 45, 30, false));
    assert_eq!(beat(&school, learner, LESSON, 30, 15..30, 2).await.unwrap(), response(45, 45, 45, false));
}

#[tokio::test]
async fn the_newest_heartbeat_of_two_devices_sets_the_position_and_both_cover() {
    let (school, learner) = school_with_learner().await;
    beat(&school, learner, LESSON, 20, 0..20, 1_000).await.unwrap();
    beat(&school, learner, LESSON, 80, 60..80, 2_000).await.unwrap();
    assert_eq!(beat(&school, learner, LESSON, 40, 20..40, 1_500).await.unwrap(), response(80, 80, 60, false));
}

#[tokio::test]
async fn concurrent_heartbeats_all_count() {
    let (school, learner) = school_with_learner().await;
    let beats = (0..16)
        .map(|cell| beat(&school, learner, LESSON, cell * 5 + 5, cell * 5..cell * 5 + 5, i64::from(cell)));
    for answer in join_all(beats).await {
        answer.unwrap();
    }
    assert_eq!(beat(&school, learner, LESSON, 0, 0..0, 0).await.unwrap(), response(80, 80, 80, false));
}

#[tokio::test]
async fn a_device_with_a_clock_ahead_does_not_hold_the_position() {
    let (school, learner) = school_with_learner().await;
    beat(&school, learner, LESSON, 80, 0..0, i64::MAX).await.unwrap();
    school.clock.advance(Duration::SECOND);
    let now = (NOON + Duration::SECOND).unix_timestamp() * 1000;
    assert_eq!(beat(&school, learner, LESSON, 10, 0..0, now).await.unwrap().position, 10);
}

#[tokio::test]
async fn a_lesson_is_checked_at_ninety_percent_and_counts() {
    let (school, learner) = school_with_learner().await;
    assert!(!beat(&school, learner, LESSON, 89, 0..85, 1).await.unwrap().is_check);
    assert!(beat(&school, learner, LESSON, 90, 85..90, 2).await.unwrap().is_check);
    let page = school.page(learner, 1, true).await.unwrap();
    assert_eq!(page.items[0].check_count, 1);
    beat(&school, learner, LESSON, 100, 90..100, 3).await.unwrap();
    assert_eq!(school.page(learner, 1, true).await.unwrap().items[0].check_count, 1);
}

#[tokio::test]
async fn watching_every_lesson_completes_the_course() {
    let (school, learner) = school_with_learner().await;
    for (lesson, duration) in LESSONS.into_iter().zip([100, 200, 300]) {
        beat(&school, learner, lesson, duration, 0..duration, 1).await.unwrap();
    }
    assert_eq!(school.page(learner, 1, true).await.unwrap().complete_count, 1);
}

#[tokio::test]
async fn a_check_removed_after_watching_stays_removed() {
    let (school, learner) = school_with_learner().await;
    beat(&school, learner, LESSON, 100, 0..100, 1).await.unwrap();
    school.uncheck_lesson(learner, LESSON).await;
    assert!(!beat(&school, learner, LESSON, 50, 0..50, 2).await.unwrap().is_check);
}

#[tokio::test]
async fn a_heartbeat_at_the_limit_of_checks_is_stored_without_a_check() {
    let school = School::with_rules(lms::config::Rules { mark_limit: 1, ..RULES }).await;
    let learner = learner();
    school.grant(learner, COURSE).await;
    school.check_lesson(learner, LESSONS[1]).await.unwrap();
    assert_eq!(beat(&school, learner, LESSON, 100, 0..100, 1).await.unwrap(), response(100, 100, 100, false));
}

#[tokio::test]
async fn heartbeats_of_an_expired_item_are_refused() {
    let school = School::open().await;
    let learner = learner();
    school.grant_until(learner, COURSE, Some(NOON)).await;
    assert_eq!(refusal(beat(&school, learner, LESSON, 15, 0..15, 1).await), "Forbidden EXPIRED_ITEM");
    assert_eq!(school.page(learner, 1, true).await.unwrap().items[0].check_count, 0);
    // The course is granted again.
    school.grant(learner, COURSE).await;
    beat(&school, learner, LESSON, 15, 0..15, 1).await.unwrap();
}

#[tokio::test]
async fn a_lesson_that_is_not_owned_is_not_found() {
    let (school, learner) = school_with_learner().await;
    assert_eq!(refusal(beat(&school, learner, 102_010_101, 15, 0..15, 1).await), "NotFound NOT_FOUND");
    assert_eq!(refusal(beat(&school, learner, 7, 15, 0..15, 1).await), "NotFound NOT_FOUND");
}

#[tokio::test]
async fn seconds_are_limited_to_the_length_and_backward_intervals_are_refused() {
    let (school, learner) = school_with_learner().await;
    let standing = beat(&school, learner, LESSON, u32::MAX, 0..u32::MAX, i64::MAX).await.unwrap();
    assert_eq!(standing, response(100, 100, 100, true));
    let backward = Range { start: 15, end: 0 };
    assert_eq!(refusal(beat(&school, learner, LESSON, 0, backward, 1).await), "Invalid INVALID");
    assert_eq!(refusal(beat(&school, learner, LESSON, 0, 0..1, -1).await), "Invalid INVALID");
}

async fn recent(school: &School, learner: Uuid, page: u32) -> Result<ListRecentResponse, Status> {
    recent_of(school, learner, None, page).await
}

/// Lists one page of the recently watched lessons, of all courses or of one.
async fn recent_of(
    school: &School,
    learner: Uuid,
    course_id: Option<i64>,
    page: u32,
) -> Result<ListRecentResponse, Status> {
    let request = ListRecentRequest { page, course_id, ..Default::default() };
    school.watching(learner).list_recent(request).await.map(tonic::Response::into_inner)
}

#[tokio::test]
async fn recent_lessons_are_sorted_by_last_watched_with_their_state() {
    let (school, learner) = school_with_learner().await;
    school.grant_until(learner, 102, Some(NOON + Duration::hours(2))).await;
    assert_eq!(recent(&school, learner, 1).await.unwrap(), ListRecentResponse::default());
    for (lesson, end) in [(LESSON, 15), (102_010_101, 100), (LESSON, 30)] {
        beat(&school, learner, lesson, end, 0..end, i64::from(end)).await.unwrap();
        school.clock.advance(Duration::HOUR);
    }
    beat(&school, crate::school::learner(), LESSON, 15, 0..15, 1).await.unwrap_err();
    let list = recent(&school, learner, 1).await.unwrap();
    assert_eq!(list.count, 2);
    let [first, second] = &list.lessons[..] else { panic!("{list:?}") };
    assert_eq!((first.lesson_id, first.lesson_name.as_str(), first.duration), (LESSON, "講義1", 100));
    assert_eq!((first.course_id, first.course_name.as_str()), (COURSE, "講座101"));
    assert_eq!((first.position, first.covered, first.is_check, first.is_expired), (30, 30, false, false));
    assert_eq!(first.last_seen.unwrap().seconds, (NOON + Duration::hours(2)).unix_timestamp());
    assert_eq!((second.lesson_id, second.is_check, second.is_expired), (102_010_101, true, true));
    assert_eq!(refusal(recent(&school, learner, 2).await), "NotFound NOT_FOUND");

    for (course, lessons) in [(COURSE, &list.lessons[..1]), (102, &list.lessons[1..]), (103, &[])] {
        let of_course = recent_of(&school, learner, Some(course), 1).await.unwrap();
        assert_eq!((of_course.count as usize, &of_course.lessons[..]), (lessons.len(), lessons), "{course}");
    }
    assert_eq!(refusal(recent_of(&school, learner, Some(COURSE), 2).await), "NotFound NOT_FOUND");
}

/// Returns the seconds of the last seven days, and the streak.
async fn week(school: &School, learner: Uuid) -> (Vec<i32>, u32) {
    let request = GetWeekRequest::default();
    let week = school.watching(learner).get_week(request).await.unwrap().into_inner();
    (week.days.into_iter().map(|day| day.seconds).collect(), week.streak)
}

#[tokio::test]
async fn playback_counts_for_the_day_once_for_each_heartbeat_in_any_order() {
    let (school, learner) = school_with_learner().await;
    assert_eq!(week(&school, learner).await, (vec![0; 7], 0));
    for (end, number) in [(15, 1), (45, 3), (30, 2), (45, 3), (15, 1), (30, 2)] {
        beat(&school, learner, LESSON, end, end - 15..end, number).await.unwrap();
    }
    assert_eq!(week(&school, learner).await, (vec![0, 0, 0, 0, 0, 0, 45], 1));
    // Watching again counts, and each lesson has its own heartbeats.
    beat(&school, learner, LESSON, 15, 0..15, 4).await.unwrap();
    beat(&school, learner, LESSON + 1, 15, 0..15, 1).await.unwrap();
    beat(&school, learner, LESSON, 15, 15..15, 5).await.unwrap();
    assert_eq!(week(&school, learner).await.0[6], 75);
}

#[tokio::test]
async fn sixteen_concurrent_copies_of_a_heartbeat_count_once() {
    let (school, learner) = school_with_learner().await;
    for answer in join_all((0..16).map(|_| beat(&school, learner, LESSON, 15, 0..15, 1))).await {
        answer.unwrap();
    }
    assert_eq!(week(&school, learner).await.0[6], 15);
}

#[tokio::test]
async fn a_day_begins_at_four_in_tokyo_and_a_streak_lasts_until_a_day_is_missed() {
    let (school, learner) = school_with_learner().await;
    let mut sequence = 0;
    let mut watch = async || {
        sequence += 1;
        beat(&school, learner, LESSON, 15, 0..15, sequence).await.unwrap();
    };
    watch().await;
    // 03:59 of the same night.
    school.clock.advance(Duration::hours(15) + Duration::minutes(59));
    watch().await;
    assert_eq!(week(&school, learner).await, (vec![0, 0, 0, 0, 0, 0, 30], 1));
    // 04:00: the streak lasts, because today is not over.
    school.clock.advance(Duration::MINUTE);
    assert_eq!(week(&school, learner).await, (vec![0, 0, 0, 0, 0, 30, 0], 1));
    school.clock.advance(Duration::MINUTE);
    watch().await;
    assert_eq!(week(&school, learner).await, (vec![0, 0, 0, 0, 0, 30, 15], 2));
    school.clock.advance(Duration::days(2));
    assert_eq!(week(&school, learner).await, (vec![0, 0, 0, 30, 15, 0, 0], 0));
    watch().await;
    assert_eq!(week(&school, learner).await, (vec![0, 0, 0, 30, 15, 0, 15], 1));
    for _ in 0..9 {
        school.clock.advance(Duration::DAY);
        watch().await;
    }
    assert_eq!(week(&school, learner).await, (vec![15; 7], 10));
}

#[tokio::test]
async fn a_day_counts_at_most_three_times_its_elapsed_seconds() {
    let (school, learner) = school_with_learner().await;
    // Five seconds after 04:00.
    school.clock.advance(Duration::hours(16) + Duration::seconds(5));
    beat(&school, learner, LESSON, 100, 0..100, 1).await.unwrap();
    assert_eq!(week(&school, learner).await.0[6], 15);
    school.clock.advance(Duration::SECOND);
    beat(&school, learner, LESSON, 100, 0..100, 2).await.unwrap();
    assert_eq!(week(&school, learner).await.0[6], 18);
}
