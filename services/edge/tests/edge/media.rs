//! Media files over real sockets and from a real folder: access, expiry and ranges.

use std::time::Instant;

use crate::support::{Answer, Edge, Folder, NOW, ONE, TWO, World, bytes};
use edge::config::{MediaPlace, Settings};
use insta::assert_json_snapshot;
use serde_json::{Value, json};
use time::Duration;
use uuid::Uuid;

/// A lesson of course 201, which only the first learner owns.
const LESSON: &str = "lesson/201010101";
const START: &str = "/api/lms/lesson/201010101/stream/";
const HANDOUTS: &str = "/api/lms/lesson/201010101/handout/";

fn lessons() -> Folder {
    let folder = Folder::new();
    folder.write(&format!("{LESSON}/master.m3u8"), b"#EXTM3U\n");
    folder.write(&format!("{LESSON}/360p/0.m4s"), &bytes(100));
    folder.write("lesson/202010101/master.m3u8", b"of another lesson");
    folder.write(&format!("{LESSON}/textbook.pdf"), b"%PDF-1.7 of a lesson");
    folder.write(&format!("{LESSON}/textbook/1.png"), b"the first page");
    folder.write("course/201/textbook.pdf", b"%PDF-1.7");
    folder.write("open/course/201/sample/master.m3u8", b"#EXTM3U\n# sample\n");
    folder.write("secret.json", b"{}");
    folder
}

fn settings(world: &World, folder: &Folder) -> Settings {
    let mut settings = world.settings();
    settings.media.store = MediaPlace::Folder(folder.path().to_owned());
    settings
}

async fn edge_with(world: &World, folder: &Folder) -> Edge {
    Edge::new(&settings(world, folder), world.clock.clock()).await
}

async fn start(edge: &Edge, token: &str, device: u128, take_over: bool) -> Answer {
    let body = json!({"device": Uuid::from_u128(device).to_string(), "take_over": take_over});
    edge.with("POST", START, token, &body).await
}

/// Returns the base URL of the lesson's files.
async fn files(edge: &Edge, token: &str) -> String {
    let playlist = start(edge, token, 1, false).await.json()["playlist"].as_str().unwrap().to_owned();
    playlist.strip_suffix("master.m3u8").unwrap().to_owned()
}

/// Returns the response for a snapshot, without the signed part and the stream's id.
fn masked(answer: &Answer) -> Value {
    let mut promise = answer.promise();
    let body = promise["body"].as_object_mut().unwrap();
    let mask = |value: &mut Value| {
        let text = value.as_str().unwrap();
        let (before, after) = text.strip_prefix("/api/media/").unwrap().split_once('/').unwrap();
        assert!(before.len() > 100, "{text}");
        *value = format!("/api/media/…/{after}").into();
    };
    for name in ["playlist", "captions", "poster", "url"] {
        body.get_mut(name).map(mask);
    }
    for handout in body.get_mut("handouts").and_then(Value::as_array_mut).into_iter().flatten() {
        mask(&mut handout["url"]);
        handout["pictures"].as_array_mut().unwrap().iter_mut().for_each(mask);
    }
    if let Some(stream) = body.get_mut("stream") {
        *stream = "…".into();
    }
    promise
}

#[tokio::test]
async fn a_stream_returns_signed_urls_that_serve_its_files() {
    let (world, folder) = (World::new().await, lessons());
    let edge = edge_with(&world, &folder).await;
    let (token, _) = edge.login(ONE).await;
    let started = start(&edge, &token, 1, false).await;
    assert_json_snapshot!("stream", masked(&started));
    let playlist = edge.get(started.json()["playlist"].as_str().unwrap(), None).await;
    assert_eq!((playlist.outcome().as_str(), &playlist.body[..]), ("200", &b"#EXTM3U\n"[..]));
    assert_eq!(playlist.header("content-type"), Some("application/vnd.apple.mpegurl"));
    assert_eq!(playlist.header("cache-control"), Some("private, no-cache"));
    assert_eq!(playlist.header("x-content-type-options"), Some("nosniff"));

    let item = edge.get("/api/lms/inventory/", Some(&token)).await.json()["results"][0]["id"].to_string();
    let path = |kind: &str| format!("/api/lms/inventory/{item}/bundle/{kind}/");
    let bundle = edge.get(&path("textbook"), Some(&token)).await;
    assert_json_snapshot!("bundle", masked(&bundle));
    let textbook = edge.get(bundle.json()["url"].as_str().unwrap(), None).await;
    assert_eq!((textbook.outcome().as_str(), &textbook.body[..]), ("200", &b"%PDF-1.7"[..]));
    assert_eq!(edge.get(&path("whiteboards"), Some(&token)).await.outcome(), "404 NOT_FOUND");

    let sample = edge.get("/api/media/open/course/201/sample/master.m3u8", None).await;
    assert_eq!((sample.outcome().as_str(), &sample.body[..]), ("200", &b"#EXTM3U\n# sample\n"[..]));
    assert_eq!(sample.header("cache-control"), Some("public, max-age=60"));
}

#[tokio::test]
async fn handouts_need_no_stream_and_their_urls_open_no_video() {
    let (world, folder) = (World::new().await, lessons());
    let edge = edge_with(&world, &folder).await;
    let (token, _) = edge.login(ONE).await;
    for device in 1..=2 {
        assert_eq!(start(&edge, &token, device, false).await.outcome(), "201");
    }
    let opened = edge.get(HANDOUTS, Some(&token)).await;
    assert_json_snapshot!("handout_list", masked(&opened));
    let textbook = &opened.json()["handouts"][0];
    for (file, content) in
        [(&textbook["url"], "%PDF-1.7 of a lesson"), (&textbook["pictures"][0], "the first page")]
    {
        let file = edge.get(file.as_str().unwrap(), None).await;
        assert_eq!((file.outcome().as_str(), &file.body[..]), ("200", content.as_bytes()));
    }
    let lesson = textbook["url"].as_str().unwrap().strip_suffix("textbook.pdf").unwrap();
    for video in ["master.m3u8", "360p/0.m4s"] {
        assert_eq!(edge.get(&format!("{lesson}{video}"), None).await.outcome(), "404 NOT_FOUND", "{video}");
    }
    // The item of the course expires in 90 days.
    world.clock.advance(Duration::days(91));
    let (token, _) = edge.login(ONE).await;
    assert_eq!(edge.get(HANDOUTS, Some(&token)).await.outcome(), "403 EXPIRED_ITEM");
}

#[tokio::test]
async fn an_ended_stream_frees_its_place_at_once() {
    let (world, folder) = (World::new().await, lessons());
    let edge = edge_with(&world, &folder).await;
    let (one, _) = edge.login(ONE).await;
    let (two, _) = edge.login(TWO).await;
    let first = start(&edge, &one, 1, false).await.json();
    let end = format!("/api/lms/stream/{}/", first["stream"].as_str().unwrap());
    assert_eq!(start(&edge, &one, 2, false).await.outcome(), "201");
    assert_eq!(edge.call("DELETE", &end, Some(&two)).await.outcome(), "404 NOT_FOUND");
    assert_eq!(start(&edge, &one, 3, false).await.outcome(), "409 TOO_MANY_STREAMS");
    for _ in 0..2 {
        assert_eq!(edge.call("DELETE", &end, Some(&one)).await.outcome(), "204");
    }
    assert_eq!(start(&edge, &one, 3, false).await.outcome(), "201");
    assert_eq!(start(&edge, &one, 1, false).await.outcome(), "409 TOO_MANY_STREAMS");
    assert_eq!(edge.call("DELETE", "/api/lms/stream/1/", Some(&one)).await.outcome(), "404 NOT_FOUND");
}

#[tokio::test]
async fn streams_of_lessons_that_are_not_owned_or_expired_are_refused() {
    let (world, folder) = (World::new().await, lessons());
    let edge = edge_with(&world, &folder).await;
    let (one, _) = edge.login(ONE).await;
    let (two, _) = edge.login(TWO).await;
    assert_eq!(start(&edge, &two, 1, true).await.outcome(), "404 NOT_FOUND");
    let wrong = edge.with("POST", START, &one, &json!({"device": "my phone"})).await;
    assert_eq!(wrong.outcome(), "400 INVALID");
    let ticket = files(&edge, &one).await;
    // The item of the course expires in 90 days.
    world.clock.advance(Duration::days(91));
    let (one, _) = edge.login(ONE).await;
    assert_eq!(start(&edge, &one, 1, true).await.outcome(), "403 EXPIRED_ITEM");
    assert_eq!(edge.get(&format!("{ticket}master.m3u8"), None).await.outcome(), "403 MEDIA_LINK_EXPIRED");
    let items = edge.get("/api/lms/inventory/?page=2", Some(&one)).await.json();
    let item = &items["results"][0]["id"];
    let bundle = edge.get(&format!("/api/lms/inventory/{item}/bundle/textbook/"), Some(&one)).await;
    assert_eq!(bundle.outcome(), "403 EXPIRED_ITEM");
}

#[tokio::test]
async fn a_signed_url_is_valid_for_two_hours_on_every_edge() {
    let (world, folder) = (World::new().await, lessons());
    let (here, there) = (edge_with(&world, &folder).await, edge_with(&world, &folder).await);
    let (token, _) = here.login(ONE).await;
    let started = start(&here, &token, 1, false).await.json();
    assert_eq!(started["expires_at"], "2026-11-20T12:00:00Z");
    let playlist = started["playlist"].as_str().unwrap();
    world.clock.advance(Duration::hours(2) - Duration::SECOND);
    for edge in [&here, &there] {
        assert_eq!(edge.get(playlist, None).await.outcome(), "200");
    }
    world.clock.advance(Duration::SECOND);
    for edge in [&here, &there] {
        assert_eq!(edge.get(playlist, None).await.outcome(), "403 MEDIA_LINK_EXPIRED");
    }
}

#[tokio::test]
async fn no_signed_url_outlives_the_inventory_item() {
    let (world, folder) = (World::new().await, lessons());
    let edge = edge_with(&world, &folder).await;
    let (token, _) = edge.login(ONE).await;
    let lesson = edge.get("/api/lms/lesson/201010101/", Some(&token)).await.json();
    let end = lesson["expire_at"].as_str().unwrap();
    let end = time::OffsetDateTime::parse(end, &time::format_description::well_known::Rfc3339).unwrap();
    world.clock.advance(end - NOW - Duration::MINUTE);
    let (token, _) = edge.login(ONE).await;
    let started = start(&edge, &token, 1, false).await.json();
    assert_eq!(started["expires_at"], lesson["expire_at"]);
    world.clock.advance(Duration::MINUTE);
    let late = edge.get(started["playlist"].as_str().unwrap(), None).await;
    assert_eq!(late.outcome(), "403 MEDIA_LINK_EXPIRED");
}

#[tokio::test]
async fn after_logout_a_signed_url_is_refused_on_every_edge_within_a_second() {
    let (world, folder) = (World::new().await, lessons());
    let (here, there) = (edge_with(&world, &folder).await, edge_with(&world, &folder).await);
    let (token, _) = here.login(ONE).await;
    let playlist = format!("{}master.m3u8", files(&here, &token).await);
    let (kept, _) = here.login(ONE).await;
    let other = format!("{}master.m3u8", files(&here, &kept).await);
    assert_eq!(there.get(&playlist, None).await.outcome(), "200");
    assert_eq!(here.call("POST", "/api/accounts/logout/", Some(&token)).await.outcome(), "204");
    let ended = Instant::now();
    assert_eq!(here.get(&playlist, None).await.outcome(), "401 UNAUTHENTICATED");
    while there.get(&playlist, None).await.outcome() == "200" {
        assert!(ended.elapsed() < std::time::Duration::from_secs(1), "still alive on the other edge");
    }
    assert_eq!(there.get(&playlist, None).await.outcome(), "401 UNAUTHENTICATED");
    assert_eq!(there.get(&other, None).await.outcome(), "200", "another session of the learner's");
}

/// Waits up to one second until the edge refuses a file. Returns the outcome.
async fn refusal(edge: &Edge, file: &str) -> String {
    let ended = Instant::now();
    loop {
        let outcome = edge.get(file, None).await.outcome();
        if outcome != "200" {
            return outcome;
        }
        assert!(ended.elapsed() < std::time::Duration::from_secs(1), "still alive");
    }
}

#[tokio::test]
async fn a_signed_url_ends_with_its_stream_on_every_edge_within_a_second() {
    let (world, folder) = (World::new().await, lessons());
    let (here, there) = (edge_with(&world, &folder).await, edge_with(&world, &folder).await);
    let (token, _) = here.login(ONE).await;
    let begin = async |device: u128, take_over: bool| {
        let started = start(&here, &token, device, take_over).await.json();
        let playlist = started["playlist"].as_str().unwrap().to_owned();
        for edge in [&here, &there] {
            assert_eq!(edge.get(&playlist, None).await.outcome(), "200");
        }
        (started, playlist)
    };
    // Ended by its player. Signed URLs do not count as streams, however often one starts and ends.
    let (first, first_playlist) = begin(1, false).await;
    let end = format!("/api/lms/stream/{}/", first["stream"].as_str().unwrap());
    assert_eq!(here.call("DELETE", &end, Some(&token)).await.outcome(), "204");
    assert_eq!(here.get(&first_playlist, None).await.outcome(), "403 STREAM_ENDED");
    assert_eq!(refusal(&there, &first_playlist).await, "403 STREAM_ENDED");
    let textbook = first["handouts"][0]["url"].as_str().unwrap();
    assert_eq!(there.get(textbook, None).await.outcome(), "200", "handouts stay readable");

    // Taken over: the stream with the oldest heartbeat ends.
    let (_, second) = begin(1, false).await;
    world.clock.advance(Duration::SECOND);
    let (_, third) = begin(2, false).await;
    world.clock.advance(Duration::SECOND);
    let (_, fourth) = begin(3, true).await;
    for edge in [&here, &there] {
        assert_eq!(refusal(edge, &second).await, "403 STREAM_ENDED");
        for living in [&third, &fourth] {
            assert_eq!(edge.get(living, None).await.outcome(), "200");
        }
    }

    // Without heartbeats: its place goes to the next stream without `take_over`, and its URL ends.
    world.clock.advance(Duration::MINUTE);
    assert_eq!(there.get(&third, None).await.outcome(), "200", "no other stream needs the place yet");
    begin(4, false).await;
    assert_eq!(refusal(&there, &third).await, "403 STREAM_ENDED");
}

#[tokio::test]
async fn with_a_stale_view_of_streams_lms_is_called_and_without_lms_no_file_is_served() {
    let (world, folder) = (World::new().await, lessons());
    let edge = edge_with(&world, &folder).await;
    let (token, _) = edge.login(ONE).await;
    let playlist = format!("{}master.m3u8", files(&edge, &token).await);
    assert_eq!(edge.get(&playlist, None).await.outcome(), "200");
    world.stop_lms();
    let stopped = Instant::now();
    loop {
        let outcome = edge.get(&playlist, None).await.outcome();
        if outcome == "502 UPSTREAM_UNAVAILABLE" {
            break;
        }
        assert_eq!(outcome, "200");
        assert!(stopped.elapsed() < std::time::Duration::from_secs(5), "lms still answers");
    }
}

#[tokio::test]
async fn a_signed_url_opens_its_own_lesson_and_nothing_else() {
    let (world, folder) = (World::new().await, lessons());
    let edge = edge_with(&world, &folder).await;
    let (token, _) = edge.login(ONE).await;
    let files = files(&edge, &token).await;
    let ticket = files.strip_suffix(&format!("{LESSON}/")).unwrap();
    assert_eq!(edge.get(&format!("{files}360p/0.m4s"), None).await.outcome(), "200");
    for path in [
        "lesson/202010101/master.m3u8",
        "lesson/201010102/master.m3u8",
        "lesson/2010101011/master.m3u8",
        "course/201/textbook.pdf",
        "open/course/201/sample/master.m3u8",
        "secret.json",
        "lesson/201010101/",
        "lesson/201010101/360p",
        "lesson/201010101/unknown.mp4",
        "lesson/201010101/..%2f202010101/master.m3u8",
        "lesson/201010101/%2e%2e/202010101/master.m3u8",
        "lesson/201010101/..%5c202010101%5cmaster.m3u8",
        "lesson/201010101/../../secret.json",
        "lesson/201010101/%00.mp4",
        "lesson/201010101/%FF.mp4",
        "lesson/201010101/MASTER.m3u8",
        "lesson/201010101//master.m3u8",
        "lesson/201010101/master.m3u8/",
        "",
    ] {
        assert_eq!(edge.get(&format!("{ticket}{path}"), None).await.outcome(), "404 NOT_FOUND", "{path}");
    }
    for path in ["../secret.json", "..%2fsecret.json", "%2e%2e%2f/secret.json", "course/201/sample/", ""] {
        let answer = edge.get(&format!("/api/media/open/{path}"), None).await;
        assert_eq!(answer.outcome(), "404 NOT_FOUND", "{path}");
    }
}

#[tokio::test]
async fn a_forged_signed_url_opens_nothing() {
    let (world, folder) = (World::new().await, lessons());
    let edge = edge_with(&world, &folder).await;
    let (token, _) = edge.login(ONE).await;
    let files = files(&edge, &token).await;
    let ticket = files.split('/').nth(3).unwrap();
    let mut settings = settings(&world, &folder);
    settings.media.key = "another key, of 32 bytes at the least".to_owned();
    let stranger = Edge::new(&settings, world.clock.clock()).await;
    assert_eq!(stranger.get(&format!("{files}master.m3u8"), None).await.outcome(), "404 NOT_FOUND");
    for place in [0, 10, 40, 60, 100] {
        let mut wrong = ticket.to_owned();
        let letter = if &wrong[place..=place] == "A" { "B" } else { "A" };
        wrong.replace_range(place..=place, letter);
        let answer = edge.get(&format!("/api/media/{wrong}/{LESSON}/master.m3u8"), None).await;
        assert_eq!(answer.outcome(), "404 NOT_FOUND", "{place}");
    }
    for junk in ["x", &ticket[1..], &format!("{ticket}%3D"), "%FF", &"A".repeat(2000)] {
        let answer = edge.get(&format!("/api/media/{junk}/{LESSON}/master.m3u8"), None).await;
        assert_eq!(answer.outcome(), "404 NOT_FOUND", "{junk}");
    }
}

#[tokio::test]
async fn a_file_is_sent_whole_or_in_part_and_not_again_if_unchanged() {
    let (world, folder) = (World::new().await, lessons());
    let edge = edge_with(&world, &folder).await;
    let (token, _) = edge.login(ONE).await;
    let file = format!("{}360p/0.m4s", files(&edge, &token).await);
    let whole = edge.get(&file, None).await;
    assert_eq!((whole.outcome().as_str(), &whole.body[..]), ("200", &bytes(100)[..]));
    assert_eq!((whole.header("content-length"), whole.header("accept-ranges")), (Some("100"), Some("bytes")));
    let etag = whole.header("etag").unwrap();
    let ask = async |method: &str, headers: &[(&str, &str)]| edge.send(method, &file, headers, "").await;

    let part = ask("GET", &[("range", "bytes=10-19")]).await;
    assert_eq!((part.outcome().as_str(), &part.body[..]), ("206", &bytes(100)[10..20]));
    assert_eq!(part.header("content-range"), Some("bytes 10-19/100"));
    assert_eq!((part.header("content-length"), part.header("etag")), (Some("10"), Some(etag)));
    let last = ask("GET", &[("range", "bytes=-5"), ("if-range", etag)]).await;
    assert_eq!((last.outcome().as_str(), &last.body[..]), ("206", &bytes(100)[95..]));
    for whole in [
        [("range", "bytes=0-1"), ("if-range", "\"another\"")],
        [("range", "bytes=0-1,5-6"), ("accept", "*/*")],
        [("range", "bytes=5-4"), ("accept", "*/*")],
    ] {
        let answer = ask("GET", &whole).await;
        assert_eq!((answer.outcome().as_str(), answer.body.len()), ("200", 100), "{whole:?}");
    }
    let beyond = ask("GET", &[("range", "bytes=100-")]).await;
    assert_eq!(beyond.outcome(), "416 RANGE_NOT_SATISFIABLE");
    assert_eq!(beyond.header("content-range"), Some("bytes */100"));

    let known = ask("GET", &[("if-none-match", etag)]).await;
    assert_eq!((known.outcome().as_str(), known.body.len(), known.header("etag")), ("304", 0, Some(etag)));
    let head = ask("HEAD", &[("range", "bytes=0-1")]).await;
    assert_eq!((head.outcome().as_str(), head.body.len()), ("200", 0));
    assert_eq!((head.header("content-length"), head.header("etag")), (Some("100"), Some(etag)));
    assert_eq!(ask("POST", &[]).await.outcome(), "405 METHOD_NOT_ALLOWED");

    folder.write(&format!("{LESSON}/360p/0.m4s"), &bytes(99));
    let changed = ask("GET", &[("if-none-match", etag)]).await;
    assert_eq!((changed.outcome().as_str(), changed.body.len()), ("200", 99));
}

#[tokio::test]
async fn a_file_of_several_megabytes_is_sent_unchanged() {
    let (world, folder) = (World::new().await, lessons());
    let edge = edge_with(&world, &folder).await;
    let (token, _) = edge.login(ONE).await;
    let files = files(&edge, &token).await;
    let large = bytes(5_000_001);
    folder.write(&format!("{LESSON}/720p/0.m4s"), &large);
    let answer = edge.get(&format!("{files}720p/0.m4s"), None).await;
    assert!(answer.body == large, "{} bytes", answer.body.len());
}

#[tokio::test]
async fn of_eight_concurrent_stream_starts_through_two_edges_two_succeed() {
    let (world, folder) = (World::new().await, lessons());
    let (here, there) = (edge_with(&world, &folder).await, edge_with(&world, &folder).await);
    let (token, _) = here.login(ONE).await;
    let begin =
        |device: u128| start(if device.is_multiple_of(2) { &here } else { &there }, &token, device, false);
    let outcomes = futures_util::future::join_all((1..=8).map(begin)).await;
    let mut outcomes: Vec<_> = outcomes.iter().map(Answer::outcome).collect();
    outcomes.sort();
    let (played, refused) = outcomes.split_at(2);
    assert_eq!(played, ["201", "201"]);
    assert!(refused.iter().all(|outcome| outcome == "409 TOO_MANY_STREAMS"), "{refused:?}");
    assert_eq!(start(&here, &token, 9, true).await.outcome(), "201");
}

#[tokio::test]
async fn maintenance_of_learning_closes_media_files() {
    let (world, folder) = (World::new().await, lessons());
    let edge = edge_with(&world, &folder).await;
    let (token, _) = edge.login(ONE).await;
    let playlist = format!("{}master.m3u8", files(&edge, &token).await);
    let window = |name: &str, bypass: &str| maintenance::Window {
        name: name.to_owned(),
        scope: maintenance::Scope::Learning,
        mode: maintenance::Mode::Full,
        declared_at: None,
        starts_at: None,
        ends_at: None,
        title: "講座の入れかえ".to_owned(),
        message: "しばらくお待ちください。".to_owned(),
        status_url: None,
        retry_after_seconds: None,
        bypass_scopes: vec![bypass.to_owned()],
        suspend: false,
    };
    let sample = "/api/media/open/course/201/sample/master.m3u8";
    world.declare(&edge, vec![window("for staff", "staff:content")]).await;
    for path in [&playlist, sample] {
        assert_eq!(edge.get(path, None).await.status, 503, "{path}");
    }
    // A caller who bypasses the window needs no token for files whose signed URL is valid.
    world.declare(&edge, vec![window("for learners", "learner")]).await;
    assert_eq!(edge.get(&playlist, None).await.outcome(), "200");
    let forged = playlist.replacen("/api/media/A", "/api/media/B", 1);
    for path in [&forged, sample] {
        assert_eq!(edge.get(path, None).await.status, 503, "{path}");
    }
    assert_eq!(edge.call("POST", "/api/accounts/logout/", Some(&token)).await.outcome(), "204");
    assert_eq!(edge.get(&playlist, None).await.status, 503, "after logout");
}
