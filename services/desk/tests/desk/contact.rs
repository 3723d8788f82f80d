//! Inquiries: one mail to each side, also after repeated requests; stored content is encrypted.

use std::io::Cursor;
use std::time::Duration as StdDuration;

use futures_util::future::join_all;
use image::{ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};
use kit::error::ServiceError;
use kit::test::{Mail, MailServer};
use proto::desk::contact_service_client::ContactServiceClient;
use proto::desk::{PutPictureRequest, SendRequest};
use time::Duration;
use tokio::time::timeout;

use crate::emails::{base64, texts};
use crate::world::{Desk, NOW, World};

pub(crate) const NOBODY: &str = "smtp://127.0.0.1:1";
pub(crate) const EMAIL: &str = "hanako@demo.example";
const SCHOOL: &str = "support@konomana.test";

pub(crate) fn inquiry(key: &str) -> SendRequest {
    SendRequest {
        idempotency_key: key.to_owned(),
        kind: "payment".to_owned(),
        name: "山田 花子".to_owned(),
        email: EMAIL.to_owned(),
        text: "領収書の宛名を変えられますか。".to_owned(),
        picture: None,
        website: String::new(),
        client_address: "203.0.113.9".to_owned(),
    }
}

pub(crate) async fn send(desk: &Desk, request: SendRequest) -> Result<String, ServiceError> {
    let answer = ContactServiceClient::new(desk.channel()).send(request).await;
    answer.map(|answer| answer.into_inner().number).map_err(|status| ServiceError::from_status(&status))
}

pub(crate) async fn put(desk: &Desk, content: Vec<u8>) -> Result<String, String> {
    put_from(desk, "203.0.113.9", content).await
}

pub(crate) async fn put_from(desk: &Desk, address: &str, content: Vec<u8>) -> Result<String, String> {
    let request = PutPictureRequest { content, client_address: address.to_owned() };
    let answer = ContactServiceClient::new(desk.channel()).put_picture(request).await;
    answer
        .map(|answer| answer.into_inner().picture)
        .map_err(|status| ServiceError::from_status(&status).reason.into_owned())
}

/// Receives the next two mails: the receipt and the copy for the school.
pub(crate) async fn mails(server: &mut MailServer) -> (Mail, Mail) {
    let mut next = async || {
        let mut mail = timeout(StdDuration::from_secs(15), server.mails.recv()).await.unwrap().unwrap();
        mail.message = mail.message.replace('\n', "\r\n");
        mail
    };
    let (one, other) = (next().await, next().await);
    if one.to == SCHOOL { (other, one) } else { (one, other) }
}

#[tokio::test]
async fn an_inquiry_is_two_mails_and_all_stored_content_is_encrypted() {
    let world = World::new().await;
    let desk = world.serve(NOBODY).await;
    let number = send(&desk, inquiry("a-key-of-a-browser")).await.unwrap();
    assert!(number.starts_with("K-261121-") && number.len() == 13, "{number}");
    let put_off =
        "SELECT count(*)::text FROM mail WHERE tries = 1 AND next_try_at = created + interval '1 second'";
    world.comes_to(put_off, &["2"]).await;
    let rows = world
        .text(
            "SELECT mail::text || encode(sealed, 'escape') FROM mail UNION ALL \
             SELECT contact::text || encode(sealed, 'escape') FROM contact UNION ALL \
             SELECT rate_limit::text || encode(bucket, 'escape') FROM rate_limit",
        )
        .await;
    // Rate limits: the address, its network, the mailbox, and all receipts.
    assert_eq!(rows.len(), 2 + 1 + 4);
    for secret in ["hanako", "山田", "領収書", "203.0.113.9", "a-key-of-a-browser"] {
        assert!(!rows.concat().contains(secret), "{secret}: {rows:?}");
    }
    let trace = world.text("SELECT trace_id FROM contact").await;
    assert_eq!(trace[0].len(), 32);

    // The first server must not postpone them again.
    drop(desk);
    let mut server = MailServer::start().await;
    let _other = world.serve(&server.url()).await;
    world.clock.advance(Duration::MINUTE);
    let (theirs, schools) = mails(&mut server).await;
    assert_eq!((theirs.to.as_str(), schools.to.as_str()), (EMAIL, SCHOOL));
    let (text, html) = texts(&theirs.message);
    for part in [text, html] {
        for told in [&number, "料金・お支払いについて", "2026年11月21日(土) 18:00"] {
            assert!(part.contains(told), "{told}: {part}");
        }
        for typed in ["領収書", "山田", "花子"] {
            assert!(!part.contains(typed), "{typed}: {part}");
        }
    }
    let (text, html) = texts(&schools.message);
    for part in [text, html] {
        assert!(part.contains(&number) && part.contains("領収書の宛名を変えられますか。"), "{part}");
    }
    assert!(schools.message.contains("Reply-To: hanako@demo.example\r\n"), "{}", schools.message);
    assert!(texts(&schools.message).0.contains(&trace[0]));
    assert!(!theirs.message.contains("Reply-To:"));
    world.comes_to("SELECT count(*)::text FROM mail WHERE sealed IS NULL AND state = 'sent'", &["2"]).await;
}

#[tokio::test]
async fn typed_text_arrives_unchanged_and_is_escaped_in_html() {
    let world = World::new().await;
    let mut server = MailServer::start().await;
    let desk = world.serve(&server.url()).await;
    let typed =
        "שלום עולם 😀👩‍👩‍👧‍👦\n\u{202e}<script>alert(\"1\")</script> & <img src=x onerror=alert(1)>\n\t終わり";
    let request =
        SendRequest { text: typed.to_owned(), name: "علي <b>".to_owned(), ..inquiry("key-12345") };
    send(&desk, request).await.unwrap();
    let (_, schools) = mails(&mut server).await;
    let (text, html) = texts(&schools.message);
    assert!(text.replace("\r\n", "\n").contains(typed), "{text}");
    assert!(text.contains("علي <b>"), "{text}");
    for live in ["<script", "<img", "<b>"] {
        assert!(!html.contains(live), "{live}: {html}");
    }
    assert!(html.contains("שלום עולם 😀👩‍👩‍👧‍👦") && html.contains("dir=\"auto\""), "{html}");
}

#[tokio::test]
async fn a_repeated_request_gets_the_same_answer_and_sends_no_mail() {
    let world = World::new().await;
    let mut server = MailServer::start().await;
    let (desk, other) = (world.serve(&server.url()).await, world.serve(&server.url()).await);
    let at_once =
        (0..8).map(|turn| send(if turn % 2 == 0 { &desk } else { &other }, inquiry("the-same-key")));
    let numbers: Vec<_> = join_all(at_once).await.into_iter().map(Result::unwrap).collect();
    assert!(numbers.iter().all(|number| *number == numbers[0]), "{numbers:?}");
    assert_eq!(send(&other, inquiry("the-same-key")).await.unwrap(), numbers[0]);
    let (theirs, schools) = mails(&mut server).await;
    assert_ne!(theirs.to, schools.to);
    world.comes_to("SELECT state FROM mail", &["sent", "sent"]).await;
    assert!(server.mails.try_recv().is_err());

    let changed = SendRequest {
        text: "宛名ではなく、日付のことでした。".to_owned(),
        ..inquiry("the-same-key")
    };
    assert_eq!(send(&desk, changed).await.unwrap_err().reason, "IDEMPOTENCY_KEY_REUSED");
    // Eight requests were one inquiry, so four of five an hour are left.
    for turn in 1..5 {
        send(&desk, inquiry(&format!("another-key-{turn}"))).await.unwrap();
    }
    assert_eq!(send(&desk, inquiry("another-key-5")).await.unwrap_err().reason, "RATE_LIMITED");
    assert_eq!(
        send(&desk, inquiry("the-same-key")).await.unwrap(),
        numbers[0],
        "a repeated request does not count"
    );
}

#[tokio::test]
async fn a_repeated_inquiry_is_recognised_across_releases() {
    let world = World::new().await;
    let desk = world.serve(NOBODY).await;
    let (old, new) = ("taken-by-the-one-before", "taken-by-this-release");
    let first = send(&desk, inquiry(old)).await.unwrap();
    // The previous release stores no answer.
    world.text("DELETE FROM idempotency").await;
    world.clock.advance(Duration::SECOND);
    let second = send(&desk, inquiry(new)).await.unwrap();
    // The next release drops the columns by which the previous one recognises an inquiry.
    world
        .text(
            "UPDATE contact SET key = decode(md5(number), 'hex'), digest = '' \
             WHERE created = (SELECT max(created) FROM contact)",
        )
        .await;
    let changed = |key: &str| SendRequest {
        text: "宛名ではなく、日付のことでした。".to_owned(),
        ..inquiry(key)
    };
    for (key, number) in [(old, &first), (new, &second)] {
        assert_eq!(send(&desk, inquiry(key)).await.unwrap(), *number, "{key}");
        assert_eq!(send(&desk, changed(key)).await.unwrap_err().reason, "IDEMPOTENCY_KEY_REUSED", "{key}");
    }
    assert_eq!(world.text("SELECT count(*)::text FROM contact").await, ["2"]);
}

#[tokio::test]
async fn one_address_sends_five_inquiries_an_hour_to_all_replicas() {
    let world = World::new().await;
    let (desk, other) = (world.serve(NOBODY).await, world.serve(NOBODY).await);
    let from = |turn: usize| SendRequest {
        email: format!("person{turn}@demo.example"),
        ..inquiry(&format!("key-number-{turn}"))
    };
    let flood = (0..20).map(|turn| send(if turn % 2 == 0 { &desk } else { &other }, from(turn)));
    let outcomes = join_all(flood).await;
    let refused: Vec<_> = outcomes.iter().filter_map(|outcome| outcome.as_ref().err()).collect();
    assert_eq!(refused.len(), 15);
    for problem in refused {
        assert_eq!(problem.reason, "RATE_LIMITED");
        assert!(problem.retry_after.unwrap() <= StdDuration::from_mins(12), "{problem:?}");
    }
    assert_eq!(world.text("SELECT count(*)::text FROM mail").await, ["10"]);
    let elsewhere = SendRequest { client_address: "203.0.113.10".to_owned(), ..from(99) };
    send(&desk, elsewhere).await.unwrap();
    world.clock.advance(Duration::minutes(12));
    send(&desk, from(100)).await.unwrap();
    assert_eq!(send(&desk, from(101)).await.unwrap_err().reason, "RATE_LIMITED");
}

#[tokio::test]
async fn receipts_to_a_mailbox_are_limited_over_all_addresses() {
    let world = World::new().await;
    let desk = world.serve(NOBODY).await;
    let mut outcomes = Vec::new();
    for turn in 0..6 {
        let client_address = format!("203.0.113.{turn}");
        let request = SendRequest { client_address, ..inquiry(&format!("key-number-{turn}")) };
        outcomes.push(send(&desk, request).await.is_ok());
    }
    assert_eq!(outcomes, [true, true, true, true, true, false]);
}

#[tokio::test]
async fn a_filled_honeypot_gets_the_same_answer_and_nothing_is_stored_or_sent() {
    let world = World::new().await;
    let desk = world.serve(NOBODY).await;
    let machine = |turn: usize| SendRequest {
        website: "https://spam.example".to_owned(),
        ..inquiry(&format!("machine-{turn}"))
    };
    for turn in 0..5 {
        let number = send(&desk, machine(turn)).await.unwrap();
        assert!(number.starts_with("K-261121-") && number.len() == 13, "{number}");
    }
    assert_eq!(send(&desk, machine(5)).await.unwrap_err().reason, "RATE_LIMITED");
    let kept = "SELECT count(*)::text FROM (SELECT id FROM contact UNION ALL SELECT id FROM mail) AS kept";
    assert_eq!(world.text(kept).await, ["0"]);
}

#[tokio::test]
async fn invalid_fields_are_reported_and_do_not_count() {
    let world = World::new().await;
    let desk = world.serve(NOBODY).await;
    let fields = async |request| {
        let problem = send(&desk, request).await.unwrap_err();
        let fields = problem.fields.iter().map(|field| format!("{} {}", field.name, field.code));
        fields.collect::<Vec<_>>()
    };
    let key = "a-key-12345";
    let long = SendRequest { text: "あ".repeat(2_001), ..inquiry(key) };
    assert_eq!(fields(long).await, ["text TOO_LONG"]);
    let all = SendRequest { kind: String::new(), name: String::new(), email: "x".to_owned(), ..inquiry(key) };
    assert_eq!(fields(all).await, ["kind REQUIRED", "name REQUIRED", "email INVALID_FORMAT"]);
    assert_eq!(fields(inquiry("")).await, ["idempotency_key REQUIRED"]);
    assert_eq!(fields(inquiry("too short")).await, ["idempotency_key INVALID_FORMAT"]);
    let unknown = "00000000-0000-4000-8000-000000000000".to_owned();
    let unknown = SendRequest { picture: Some(unknown), ..inquiry(key) };
    assert_eq!(fields(unknown).await, ["picture UNKNOWN_CHOICE"]);
    let junk = SendRequest { picture: Some("1".to_owned()), ..inquiry(key) };
    assert_eq!(fields(junk).await, ["picture INVALID_FORMAT"]);
    for turn in 0..5 {
        send(&desk, SendRequest { text: "😀".repeat(2_000), ..inquiry(&format!("{key}-{turn}")) })
            .await
            .unwrap();
    }
}

pub(crate) fn encoded(format: ImageFormat) -> Vec<u8> {
    let mut bytes = Vec::new();
    let picture = RgbImage::from_fn(60, 40, |x, _| if x < 30 { Rgb([200, 0, 0]) } else { Rgb([0, 0, 200]) });
    picture.write_to(&mut Cursor::new(&mut bytes), format).unwrap();
    bytes
}

/// A JPEG with EXIF data: rotated, with a location.
pub(crate) fn with_metadata() -> Vec<u8> {
    let jpeg = encoded(ImageFormat::Jpeg);
    let mut exif = b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0".to_vec();
    exif.extend_from_slice(b"GPS 35.6895 139.6917");
    let length = u16::try_from(exif.len() + 2).unwrap().to_be_bytes();
    [&jpeg[..2], &[0xff, 0xe1], &length, &exif, &jpeg[2..]].concat()
}

/// A PNG that declares a size of 30,000 by 30,000 pixels.
pub(crate) fn bomb() -> Vec<u8> {
    let mut png = encoded(ImageFormat::Png);
    png[16..24].copy_from_slice(&[0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30]);
    let mut crc = u32::MAX;
    for byte in &png[12..29] {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
        }
    }
    png[29..33].copy_from_slice(&(!crc).to_be_bytes());
    png
}

#[tokio::test]
async fn a_picture_goes_only_to_the_school_and_without_metadata() {
    let world = World::new().await;
    let mut server = MailServer::start().await;
    let desk = world.serve(&server.url()).await;
    let picture = put(&desk, with_metadata()).await.unwrap();
    let request = SendRequest { picture: Some(picture.clone()), ..inquiry("with-a-picture") };
    let number = send(&desk, request.clone()).await.unwrap();
    assert_eq!(send(&desk, request).await.unwrap(), number, "the same again");
    let (theirs, schools) = mails(&mut server).await;
    assert!(!theirs.message.contains("image/jpeg"));
    let (_, attached) = schools.message.split_once("Content-Type: image/jpeg").unwrap();
    let (_, attached) = attached.split_once("\r\n\r\n").unwrap();
    let jpeg = base64(attached.split("\r\n--picture").next().unwrap());
    assert!(!jpeg.windows(4).any(|bytes| bytes == b"Exif" || bytes == b"GPS "));
    let seen = image::load_from_memory_with_format(&jpeg, ImageFormat::Jpeg).unwrap().to_rgb8();
    assert_eq!(seen.dimensions(), (40, 60), "upright");
    assert!(seen.get_pixel(20, 5).0[0] > 150 && seen.get_pixel(20, 55).0[2] > 150);

    let again = SendRequest { picture: Some(picture), ..inquiry("the-picture-of-another") };
    assert_eq!(send(&desk, again).await.unwrap_err().fields[0].code, "UNKNOWN_CHOICE");
    let mut connection = world.database.pool.acquire().await.unwrap();
    let left = "SELECT count(*)::text FROM contact_picture";
    for (days, count) in [(6, "1"), (8, "0")] {
        desk::sweep::sweep_once(&mut connection, NOW + Duration::days(days), Duration::days(90))
            .await
            .unwrap();
        assert_eq!(world.text(left).await, [count], "after {days} days");
    }
}

#[tokio::test]
async fn pictures_are_recognised_by_content() {
    let world = World::new().await;
    let desk = world.serve(NOBODY).await;
    for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::WebP] {
        put(&desk, encoded(format)).await.unwrap();
    }
    let mut clear = Vec::new();
    let picture = RgbaImage::from_pixel(9, 9, Rgba([0, 0, 0, 0]));
    picture.write_to(&mut Cursor::new(&mut clear), ImageFormat::Png).unwrap();
    put(&desk, clear).await.unwrap();

    let png = encoded(ImageFormat::Png);
    let fake = [&png[..8], b"<script>alert(1)</script>"].concat();
    let half = png[..png.len() / 2].to_vec();
    for (name, wrong) in [
        ("nothing", Vec::new()),
        ("a page", b"<!doctype html><script>alert(1)</script>".to_vec()),
        ("a drawing", b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>".to_vec()),
        ("another format", b"GIF89a\x01\0\x01\0\0\0\0;".to_vec()),
        ("a fake", fake),
        ("a half", half),
    ] {
        assert_eq!(put(&desk, wrong).await.unwrap_err(), "PICTURE_UNREADABLE", "{name}");
    }
    assert_eq!(put(&desk, bomb()).await.unwrap_err(), "PICTURE_TOO_LARGE");
    let huge = [png, vec![0; 5 * 1024 * 1024]].concat();
    assert_eq!(put(&desk, huge).await.unwrap_err(), "PICTURE_TOO_LARGE");

    assert_eq!(world.text("SELECT count(*)::text FROM contact_picture").await, ["4"]);
    let mut connection = world.database.pool.acquire().await.unwrap();
    desk::sweep::sweep_once(&mut connection, NOW + Duration::minutes(59), Duration::days(90)).await.unwrap();
    assert_eq!(world.text("SELECT count(*)::text FROM contact_picture").await, ["4"]);
    desk::sweep::sweep_once(&mut connection, NOW + Duration::minutes(61), Duration::days(90)).await.unwrap();
    assert_eq!(world.text("SELECT count(*)::text FROM contact_picture").await, ["0"], "no inquiry was sent");
}

#[tokio::test]
async fn pictures_are_limited_too() {
    let world = World::new().await;
    let desk = world.serve(NOBODY).await;
    for _ in 0..20 {
        assert_eq!(put(&desk, b"no picture".to_vec()).await.unwrap_err(), "PICTURE_UNREADABLE");
    }
    assert_eq!(put(&desk, encoded(ImageFormat::Png)).await.unwrap_err(), "RATE_LIMITED");
}

#[tokio::test]
async fn an_inquiry_is_deleted_after_its_retention() {
    let world = World::new().await;
    let desk = world.serve(NOBODY).await;
    send(&desk, inquiry("a-key-of-a-browser")).await.unwrap();
    let mut connection = world.database.pool.acquire().await.unwrap();
    for (days, count) in [(90, "1"), (91, "0")] {
        desk::sweep::sweep_once(&mut connection, NOW + Duration::days(days), Duration::days(90))
            .await
            .unwrap();
        assert_eq!(world.text("SELECT count(*)::text FROM contact").await, [count], "after {days} days");
    }
}
