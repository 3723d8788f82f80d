//! The limit of coverage: a lesson is never covered faster than a player can play it.

use proto::lms::{RecordBeatRequest, RecordBeatResponse, Stretch};
use time::Duration;
use uuid::Uuid;

use crate::school::{COURSE, LESSON, LESSONS, School, learner};
use crate::stream::{end, start, start_lesson};

/// The last lesson, of 300 seconds.
const LONG: i64 = LESSONS[2];
/// Credit that is granted with the first stream, in seconds.
const SLACK: u32 = 15;

async fn beat(
    school: &School,
    learner: Uuid,
    lesson_id: i64,
    stream: Option<&str>,
    watched: [u32; 2],
    sequence: i64,
) -> RecordBeatResponse {
    let request = RecordBeatRequest {
        lesson_id,
        position: watched[1],
        watched: vec![Stretch { from: watched[0], to: watched[1] }],
        sequence,
        stream: stream.map(str::to_owned),
        ..Default::default()
    };
    school.watching(learner).record_beat(request).await.unwrap().into_inner()
}

async fn school_with_learner() -> (School, Uuid) {
    let school = School::open().await;
    let learner = learner();
    school.grant(learner, COURSE).await;
    (school, learner)
}

#[tokio::test]
async fn one_heartbeat_does_not_complete_a_lesson() {
    let (school, learner) = school_with_learner().await;
    let all = [0, u32::MAX];
    let never_opened = beat(&school, learner, LESSON, None, all, 1).await;
    assert_eq!((never_opened.covered, never_opened.is_check, never_opened.is_done), (0, false, false));
    assert_eq!(never_opened.position, 100, "the position is stored although nothing is covered");
    let stream = start(&school, learner, 1, false).await.unwrap();
    for sequence in 2..10 {
        let opened = beat(&school, learner, LESSON, Some(&stream), all, sequence).await;
        assert_eq!((opened.covered, opened.is_check), (SLACK, false));
    }
}

#[tokio::test]
async fn playback_at_the_highest_speed_counts_completely() {
    let (school, learner) = school_with_learner().await;
    let stream = start_lesson(&school, learner, LONG, 1, false).await.unwrap();
    for turn in 0..7 {
        school.clock.advance(Duration::seconds(15));
        let watched = [turn * 45, (turn * 45 + 45).min(300)];
        let answer = beat(&school, learner, LONG, Some(&stream), watched, turn.into()).await;
        assert_eq!(answer.covered, watched[1]);
        assert_eq!(answer.is_check, watched[1] >= 270);
    }
}

#[tokio::test]
async fn delayed_heartbeats_that_arrive_together_all_count() {
    let (school, learner) = school_with_learner().await;
    let stream = start_lesson(&school, learner, LONG, 1, false).await.unwrap();
    // The first two arrive late and together, the third on time.
    school.clock.advance(Duration::seconds(30));
    beat(&school, learner, LONG, Some(&stream), [0, 45], 1).await;
    beat(&school, learner, LONG, Some(&stream), [45, 90], 2).await;
    school.clock.advance(Duration::seconds(15));
    assert_eq!(beat(&school, learner, LONG, Some(&stream), [90, 135], 3).await.covered, 135);
}

#[tokio::test]
async fn offline_playback_counts_later_even_after_its_stream_ended() {
    let (school, learner) = school_with_learner().await;
    start_lesson(&school, learner, LONG, 1, false).await.unwrap();
    school.clock.advance(Duration::minutes(5));
    // Another device of the learner plays the lesson meanwhile. Its heartbeats do not use up the
    // credit of the first device.
    let other = start_lesson(&school, learner, LONG, 2, false).await.unwrap();
    beat(&school, learner, LONG, Some(&other), [0, 15], 1).await;
    end(&school, learner, &other).await.unwrap();
    start_lesson(&school, learner, LESSON, 1, false).await.unwrap();
    school.clock.advance(Duration::hours(3));
    // The site sends what an earlier page recorded without a stream.
    let late = beat(&school, learner, LONG, None, [0, 285], 2).await;
    assert_eq!((late.covered, late.is_check), (285, true));
}

#[tokio::test]
async fn a_lesson_earns_nothing_while_no_stream_has_it_open() {
    let (school, learner) = school_with_learner().await;
    let stream = start_lesson(&school, learner, LONG, 1, false).await.unwrap();
    school.clock.advance(Duration::seconds(10));
    end(&school, learner, &stream).await.unwrap();
    school.clock.advance(Duration::DAY);
    assert_eq!(beat(&school, learner, LONG, None, [0, 300], 1).await.covered, SLACK + 30);
    // Opening one lesson after the other for a moment covers none of them.
    for lesson in LESSONS {
        start_lesson(&school, learner, lesson, 1, false).await.unwrap();
    }
    school.clock.advance(Duration::HOUR);
    assert_eq!(beat(&school, learner, LESSONS[0], None, [0, 100], 2).await.covered, SLACK);
    assert_eq!(beat(&school, learner, LESSONS[1], None, [0, 200], 3).await.covered, SLACK);
}

#[tokio::test]
async fn random_heartbeats_never_cover_more_than_three_seconds_a_second_of_an_open_stream() {
    let (school, learner) = school_with_learner().await;
    let mut random = Random(20_261_120);
    let (mut open, mut stream, mut covered) = (Duration::ZERO, None::<String>, 0);
    for sequence in 0..300 {
        let step = Duration::milliseconds(random.below(4000).into());
        school.clock.advance(step);
        if stream.is_some() {
            open += step;
        }
        match random.below(10) {
            0 => stream = Some(start_lesson(&school, learner, LONG, 1, true).await.unwrap()),
            1 => {
                if let Some(stream) = stream.take() {
                    end(&school, learner, &stream).await.unwrap();
                }
            }
            _ => {
                let from = random.below(320);
                let watched = [from, from + random.below(320)];
                let named = stream.as_deref().filter(|_| sequence % 3 > 0);
                let now = beat(&school, learner, LONG, named, watched, sequence).await.covered;
                assert!(now >= covered);
                let most = f64::from(SLACK) + 3.0 * open.as_seconds_f64();
                assert!(f64::from(now) <= most, "{now} of at most {most} at step {sequence}");
                covered = now;
            }
        }
    }
    assert!(covered > SLACK, "some playback counts");
}

/// A linear congruential generator with the same numbers in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let high = u32::try_from(self.0 >> 33).unwrap();
        high % end
    }
}
