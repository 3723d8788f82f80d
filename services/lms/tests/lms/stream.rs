use futures_util::future::join_all;
use proto::lms::{
    EndStreamRequest, Handout, HandoutPage, OpenBundleRequest, OpenHandoutsRequest, RecordBeatRequest,
    StartStreamRequest, Stretch,
};
use time::Duration;
use tonic::Status;
use uuid::Uuid;

use crate::school::{COURSE, LESSON, NOON, School, learner, refusal};

const TOO_MANY: &str = "Conflict TOO_MANY_STREAMS";
const ENDED: &str = "Conflict STREAM_ENDED";

/// Starts a stream of the first lesson. Returns its id.
pub(crate) async fn start(
    school: &School,
    learner: Uuid,
    device: u128,
    take_over: bool,
) -> Result<String, Status> {
    start_lesson(school, learner, LESSON, device, take_over).await
}

/// Starts a stream of a lesson.
pub(crate) async fn start_lesson(
    school: &School,
    learner: Uuid,
    lesson_id: i64,
    device: u128,
    take_over: bool,
) -> Result<String, Status> {
    let device = Uuid::from_u128(device).to_string();
    let request = StartStreamRequest { lesson_id, device, take_over, ..Default::default() };
    Ok(school.lessons(learner).start_stream(request).await?.into_inner().stream_id)
}

/// Sends a heartbeat of a stream. Returns the seconds covered.
pub(crate) async fn beat(
    school: &School,
    learner: Uuid,
    stream: &str,
    seconds: [u32; 2],
) -> Result<u32, Status> {
    let request = RecordBeatRequest {
        lesson_id: LESSON,
        position: seconds[1],
        watched: vec![Stretch { from: seconds[0], to: seconds[1] }],
        sequence: seconds[1].into(),
        stream: Some(stream.to_owned()),
        ..Default::default()
    };
    Ok(school.watching(learner).record_beat(request).await?.into_inner().covered)
}

pub(crate) async fn end(school: &School, learner: Uuid, stream: &str) -> Result<(), Status> {
    let request = EndStreamRequest { stream_id: stream.to_owned(), ..Default::default() };
    school.lessons(learner).end_stream(request).await.map(|_| ())
}

/// Starts a stream on each of the devices 1, 2, …
async fn start_on_devices(school: &School, learner: Uuid, devices: u128) -> Vec<String> {
    let mut streams = Vec::new();
    for device in 1..=devices {
        streams.push(start(school, learner, device, false).await.unwrap());
        school.clock.advance(Duration::SECOND);
    }
    streams
}

#[tokio::test]
async fn of_eight_starts_at_once_two_play() {
    let school = School::open().await;
    let learner = learner();
    school.grant(learner, COURSE).await;
    let starts = join_all((1..=8).map(|device| start(&school, learner, device, false))).await;
    let (played, refused): (Vec<_>, Vec<_>) = starts.into_iter().partition(Result::is_ok);
    assert_eq!(played.len(), 2);
    for refused in refused {
        assert_eq!(refusal(refused), TOO_MANY);
    }
    let others = crate::school::learner();
    school.grant(others, COURSE).await;
    start(&school, others, 1, false).await.expect("another learner has their own slots");
}

#[tokio::test]
async fn after_eight_concurrent_take_overs_two_streams_are_left() {
    let school = School::open().await;
    let learner = learner();
    school.grant(learner, COURSE).await;
    for taken in join_all((1..=8).map(|device| start(&school, learner, device, true))).await {
        taken.unwrap();
    }
    let mut connection = school.database.pool.acquire().await.unwrap();
    let left =
        sqlx::query_scalar!(r#"SELECT count(*) AS "count!" FROM stream WHERE learner_id = $1"#, learner);
    assert_eq!(left.fetch_one(&mut *connection).await.unwrap(), 2);
}

#[tokio::test]
async fn a_device_that_starts_again_continues_its_stream() {
    let school = School::open().await;
    let learner = learner();
    school.grant(learner, COURSE).await;
    let streams = start_on_devices(&school, learner, 2).await;
    assert_ne!(streams[0], streams[1]);
    assert_eq!(start(&school, learner, 1, false).await.unwrap(), streams[0]);
    assert_eq!(refusal(start(&school, learner, 3, false).await), TOO_MANY);
}

#[tokio::test]
async fn a_take_over_ends_the_longest_silent_stream() {
    let school = School::open().await;
    let learner = learner();
    school.grant(learner, COURSE).await;
    let streams = start_on_devices(&school, learner, 2).await;
    // The first one is active again.
    start(&school, learner, 1, false).await.unwrap();
    school.clock.advance(Duration::SECOND);
    start(&school, learner, 3, true).await.unwrap();
    assert_eq!(start(&school, learner, 1, false).await.unwrap(), streams[0]);
    assert_eq!(refusal(start(&school, learner, 2, false).await), TOO_MANY);
    let back = start(&school, learner, 2, true).await.unwrap();
    assert_ne!(back, streams[1], "the earlier stream ended");
}

#[tokio::test]
async fn a_stream_holds_its_slot_for_a_minute() {
    let school = School::open().await;
    let learner = learner();
    school.grant(learner, COURSE).await;
    start_on_devices(&school, learner, 2).await;
    // The second stream started a second after the first, and another second has passed.
    school.clock.advance(Duration::seconds(57));
    assert_eq!(refusal(start(&school, learner, 3, false).await), TOO_MANY);
    school.clock.advance(Duration::SECOND);
    start(&school, learner, 3, false).await.unwrap();
    assert_eq!(refusal(start(&school, learner, 4, false).await), TOO_MANY);
}

#[tokio::test]
async fn only_active_items_can_be_played_or_downloaded() {
    let school = School::open().await;
    let learner = learner();
    let open = async |learner: Uuid, item_id: i64| {
        let request = OpenBundleRequest { item_id, ..Default::default() };
        school.lessons(learner).open_bundle(request).await.map(tonic::Response::into_inner)
    };
    assert_eq!(refusal(start(&school, learner, 1, true).await), "NotFound NOT_FOUND");
    let item = school.grant_until(learner, COURSE, Some(NOON + Duration::HOUR)).await;
    start(&school, learner, 1, false).await.unwrap();
    assert_eq!(open(learner, item).await.unwrap().course_id, COURSE);
    assert_eq!(refusal(open(crate::school::learner(), item).await), "NotFound NOT_FOUND");
    school.clock.advance(Duration::HOUR);
    assert_eq!(refusal(start(&school, learner, 1, true).await), "Forbidden EXPIRED_ITEM");
    assert_eq!(refusal(open(learner, item).await), "Forbidden EXPIRED_ITEM");
}

#[tokio::test]
async fn a_device_id_must_be_a_uuid() {
    let school = School::open().await;
    let learner = learner();
    school.grant(learner, COURSE).await;
    let request =
        StartStreamRequest { lesson_id: LESSON, device: "my phone".to_owned(), ..Default::default() };
    assert_eq!(refusal(school.lessons(learner).start_stream(request).await), "Invalid INVALID");
}

#[tokio::test]
async fn a_heartbeat_keeps_its_stream_alive_and_a_silent_stream_continues_until_its_slot_is_taken() {
    let school = School::open().await;
    let learner = learner();
    school.grant(learner, COURSE).await;
    let streams = start_on_devices(&school, learner, 2).await;
    for end in [15, 30, 45, 60] {
        school.clock.advance(Duration::seconds(15));
        beat(&school, learner, &streams[0], [end - 15, end]).await.unwrap();
    }
    // The second was silent for a minute, but its heartbeat continues it.
    assert_eq!(beat(&school, learner, &streams[1], [60, 65]).await.unwrap(), 65);
    assert_eq!(refusal(start(&school, learner, 3, false).await), TOO_MANY);
    school.clock.advance(Duration::seconds(59));
    beat(&school, learner, &streams[0], [65, 65]).await.unwrap();
    school.clock.advance(Duration::SECOND);
    start(&school, learner, 3, false).await.unwrap();
    assert_eq!(refusal(beat(&school, learner, &streams[1], [65, 80]).await), ENDED);
    assert_eq!(
        beat(&school, learner, &streams[0], [65, 70]).await.unwrap(),
        70,
        "the heartbeat of the ended stream covered nothing"
    );
}

#[tokio::test]
async fn heartbeats_of_replaced_unknown_or_foreign_streams_are_refused() {
    let school = School::open().await;
    let (one, other) = (learner(), learner());
    school.grant(one, COURSE).await;
    school.grant(other, COURSE).await;
    let streams = start_on_devices(&school, one, 2).await;
    let third = start(&school, one, 3, true).await.unwrap();
    school.clock.advance(Duration::seconds(10));
    let unknown = Uuid::nil().to_string();
    for ended in [&streams[0], &unknown] {
        assert_eq!(refusal(beat(&school, one, ended, [0, 15]).await), ENDED);
    }
    assert_eq!(refusal(beat(&school, other, &third, [0, 15]).await), ENDED);
    for (stream, seconds) in [(&streams[1], [0, 15]), (&third, [15, 30])] {
        assert_eq!(beat(&school, one, stream, seconds).await.unwrap(), seconds[1]);
    }
    assert_eq!(refusal(beat(&school, one, "junk", [0, 15]).await), "Invalid INVALID");
}

#[tokio::test]
async fn an_ended_stream_frees_its_slot_at_once() {
    let school = School::open().await;
    let (learner, other) = (learner(), learner());
    school.grant(learner, COURSE).await;
    school.grant(other, COURSE).await;
    let streams = start_on_devices(&school, learner, 2).await;
    assert_eq!(refusal(start(&school, learner, 3, false).await), TOO_MANY);
    for _ in 0..2 {
        end(&school, learner, &streams[0]).await.unwrap();
    }
    let third = start(&school, learner, 3, false).await.unwrap();
    assert_eq!(refusal(start(&school, learner, 1, false).await), TOO_MANY);
    end(&school, learner, &third).await.unwrap();
    start(&school, learner, 1, false).await.expect("the slot is free again");
    assert_eq!(refusal(start(&school, learner, 3, false).await), TOO_MANY);

    let not_found = "NotFound NOT_FOUND";
    assert_eq!(refusal(end(&school, other, &streams[1]).await), not_found);
    assert_eq!(refusal(end(&school, learner, &Uuid::nil().to_string()).await), not_found);
    assert_eq!(refusal(end(&school, learner, "junk").await), "Invalid INVALID");
    assert_eq!(refusal(start(&school, learner, 3, false).await), TOO_MANY);
}

#[tokio::test]
async fn a_heartbeat_after_the_end_of_its_stream_is_accepted_for_a_minute_and_revives_nothing() {
    let school = School::open().await;
    let learner = learner();
    school.grant(learner, COURSE).await;
    let streams = start_on_devices(&school, learner, 2).await;
    end(&school, learner, &streams[0]).await.unwrap();
    assert_eq!(beat(&school, learner, &streams[0], [0, 15]).await.unwrap(), 15);
    start(&school, learner, 3, false).await.expect("an ended stream holds no slot");
    school.clock.advance(Duration::MINUTE);
    assert_eq!(refusal(beat(&school, learner, &streams[0], [15, 30]).await), ENDED);
}

#[tokio::test]
async fn a_start_after_an_end_or_with_another_lesson_gives_a_new_stream() {
    let school = School::open().await;
    let learner = learner();
    school.grant(learner, COURSE).await;
    let first = start(&school, learner, 1, false).await.unwrap();
    end(&school, learner, &first).await.unwrap();
    let second = start(&school, learner, 1, false).await.unwrap();
    assert_ne!(second, first);
    let other = start_lesson(&school, learner, LESSON + 1, 1, false).await.unwrap();
    assert_ne!(other, second);
    assert_eq!(refusal(beat(&school, learner, &second, [0, 5]).await), ENDED);
}

#[tokio::test]
async fn a_silent_stream_keeps_its_slot_until_another_device_needs_it() {
    let school = School::open().await;
    let learner = learner();
    school.grant(learner, COURSE).await;
    let streams = start_on_devices(&school, learner, 2).await;
    school.clock.advance(Duration::HOUR);
    for stream in &streams {
        beat(&school, learner, stream, [0, 5]).await.expect("its slot was not needed");
    }
    school.clock.advance(Duration::HOUR);
    beat(&school, learner, &streams[1], [5, 10]).await.unwrap();
    start(&school, learner, 3, false).await.expect("the slot of a silent stream is free");
    assert_eq!(refusal(beat(&school, learner, &streams[0], [5, 10]).await), ENDED);
    beat(&school, learner, &streams[1], [10, 15]).await.unwrap();
}

#[tokio::test]
async fn handouts_can_be_opened_without_a_stream() {
    let school = School::open().await;
    let learner = learner();
    let beside = "duration: 100, handouts: [{kind: textbook, page_count: 2, pages: [{page: 1, at: 0}, {page: 2, at: 50}]}]}";
    school.folder.edit("courses/101.yaml", "duration: 100}", beside);
    school.import().await.unwrap();
    let open = async |learner: Uuid| {
        let request = OpenHandoutsRequest { lesson_id: LESSON, ..Default::default() };
        school.lessons(learner).open_handouts(request).await.map(tonic::Response::into_inner)
    };
    assert_eq!(refusal(open(learner).await), "NotFound NOT_FOUND");
    school.grant_until(learner, COURSE, Some(NOON + Duration::HOUR)).await;
    start_on_devices(&school, learner, 2).await;
    let opened = open(learner).await.unwrap();
    let pages = vec![HandoutPage { page: 1, at: 0 }, HandoutPage { page: 2, at: 50 }];
    assert_eq!(opened.handouts, [Handout { kind: "textbook".to_owned(), page_count: 2, pages }]);
    assert_eq!(opened.expire_at.unwrap().seconds, (NOON + Duration::HOUR).unix_timestamp());
    school.clock.advance(Duration::HOUR);
    assert_eq!(refusal(open(learner).await), "Forbidden EXPIRED_ITEM");
}
