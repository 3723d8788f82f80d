//! Abuse of the contact form: forged content in emails, flooded mailboxes, filled storage.

use std::io::Cursor;

use image::{ImageFormat, Rgb, RgbImage};
use kit::test::MailServer;
use proto::desk::SendRequest;
use proto::desk::contact_service_client::ContactServiceClient;
use time::Duration;

use crate::contact::{EMAIL, NOBODY, encoded, inquiry, mails, put, put_from, send};
use crate::emails::texts;
use crate::world::{NOW, World};

#[tokio::test]
async fn a_receipt_contains_nothing_typed() {
    let world = World::new().await;
    let mut server = MailServer::start().await;
    let desk = world.serve(&server.url()).await;
    let request = SendRequest {
        name: "【重要】アカウント停止のお知らせ".to_owned(),
        text: "至急 https://evil.example/login からログインしてください。".to_owned(),
        ..inquiry("on-the-letterhead")
    };
    let number = send(&desk, request).await.unwrap();
    let (theirs, schools) = mails(&mut server).await;
    assert_eq!(theirs.to, EMAIL);
    let (text, html) = texts(&theirs.message);
    for part in [&text, &html] {
        assert!(part.contains(&number), "{part}");
        for typed in ["重要", "停止", "evil", "至急"] {
            assert!(!part.contains(typed), "{typed}: {part}");
        }
    }
    assert!(
        texts(&schools.message).0.contains("https://evil.example/login"),
        "the school gets the full text"
    );
}

#[tokio::test]
async fn a_name_with_a_link_an_address_or_format_characters_is_refused() {
    let world = World::new().await;
    let desk = world.serve(NOBODY).await;
    for (name, code) in [
        ("https://evil.example/x", "HOLDS_LINK"),
        ("evil.example をご覧ください", "HOLDS_LINK"),
        ("ｗｗｗ．ｅｖｉｌ．ｊｐ", "HOLDS_LINK"),
        ("a@evil.example", "HOLDS_LINK"),
        ("山田\u{202e}子花", "INVALID_FORMAT"),
        ("山田\u{2066}花子", "INVALID_FORMAT"),
    ] {
        let request = SendRequest { name: name.to_owned(), ..inquiry("a-name-with-a-link") };
        let problem = send(&desk, request).await.unwrap_err();
        let fields: Vec<_> =
            problem.fields.iter().map(|field| (field.name.as_ref(), field.code.as_ref())).collect();
        assert_eq!(fields, [("name", code)], "{name}");
    }
}

#[tokio::test]
async fn addresses_with_tags_or_dots_are_one_mailbox() {
    let world = World::new().await;
    let desk = world.serve(NOBODY).await;
    let addresses = [
        "victim@gmail.com",
        "Victim+1@gmail.com",
        "v.ictim+2@gmail.com",
        "victim+3@googlemail.com",
        "vic.tim@gmail.com",
        "victim+5@gmail.com",
    ];
    let mut outcomes = Vec::new();
    for (turn, email) in addresses.into_iter().enumerate() {
        let request = SendRequest {
            email: email.to_owned(),
            client_address: format!("198.51.{turn}.1"),
            ..inquiry(&format!("key-number-{turn}"))
        };
        outcomes.push(send(&desk, request).await.is_ok());
    }
    assert_eq!(outcomes, [true, true, true, true, true, false]);
}

#[tokio::test]
async fn one_ipv6_network_has_sixteen_times_the_limit_of_a_subscriber() {
    let world = World::new().await;
    let desk = world.serve(NOBODY).await;
    let mut passed = 0;
    for turn in 0..100 {
        let request = SendRequest {
            email: format!("person{turn}@demo.example"),
            client_address: format!("2001:db8:1:{turn:x}00::1"),
            ..inquiry(&format!("key-number-{turn}"))
        };
        passed += u32::from(send(&desk, request).await.is_ok());
    }
    assert_eq!(passed, 5 * 16);
}

#[tokio::test]
async fn beyond_the_limit_an_inquiry_is_accepted_without_a_receipt() {
    let world = World::new().await;
    let mut config = world.config(NOBODY);
    config.contacts.receipts_per_hour = 2;
    let desk = world.serve_as(config).await;
    let told = async |turn: usize| {
        let request = SendRequest {
            email: format!("person{turn}@demo.example"),
            client_address: format!("198.51.{turn}.1"),
            ..inquiry(&format!("key-number-{turn}"))
        };
        let told = ContactServiceClient::new(desk.channel()).send(request).await.unwrap().into_inner();
        assert!(told.number.starts_with("K-"), "{told:?}");
        told.receipt_withheld
    };
    for (turn, withheld) in [(0, false), (1, false), (2, true), (3, true)] {
        assert_eq!(told(turn).await, withheld, "{turn}");
    }
    assert!(told(3).await, "a repeated request gets the same answer");
    let kinds = "SELECT kind || ' ' || count(*) FROM mail GROUP BY kind ORDER BY kind";
    assert_eq!(world.text(kinds).await, ["contact 4", "contact_receipt 2"], "the school gets all of them");
    assert_eq!(world.text("SELECT count(*)::text FROM contact").await, ["4"]);
    world.clock.advance(Duration::minutes(30));
    assert!(!told(4).await, "one token was refilled");
}

/// Random pixels, which compress badly.
fn noise() -> Vec<u8> {
    let mut state = 7_u32;
    let picture = RgbImage::from_fn(640, 640, |_, _| {
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state.to_be_bytes()[0]
        };
        Rgb([next(), next(), next()])
    });
    let mut bytes = Vec::new();
    picture.write_to(&mut Cursor::new(&mut bytes), ImageFormat::Jpeg).unwrap();
    bytes
}

#[tokio::test]
async fn the_number_of_waiting_pictures_is_limited_in_total() {
    let world = World::new().await;
    let serve = async || {
        let mut config = world.config(NOBODY);
        config.contacts.pictures_waiting = 3;
        world.serve_as(config).await
    };
    let (desk, other) = (serve().await, serve().await);
    let flood = (0..8).map(|turn| {
        let desk = if turn % 2 == 0 { &desk } else { &other };
        let address = format!("198.51.{turn}.1");
        async move { put_from(desk, &address, encoded(ImageFormat::Png)).await }
    });
    let outcomes = futures_util::future::join_all(flood).await;
    let refused: Vec<_> = outcomes.iter().filter_map(|outcome| outcome.as_ref().err()).collect();
    assert_eq!(refused, ["RATE_LIMITED"; 5]);
    assert_eq!(world.text("SELECT count(*)::text FROM contact_picture").await, ["3"]);

    // A sent inquiry and the end of the hour free storage.
    let picture = outcomes.into_iter().find_map(Result::ok);
    send(&desk, SendRequest { picture, ..inquiry("with-a-picture") }).await.unwrap();
    put(&desk, encoded(ImageFormat::Png)).await.unwrap();
    assert_eq!(put(&desk, encoded(ImageFormat::Png)).await.unwrap_err(), "RATE_LIMITED");
    let mut connection = world.database.pool.acquire().await.unwrap();
    desk::sweep::sweep_once(&mut connection, NOW + Duration::minutes(61), Duration::days(90)).await.unwrap();
    assert_eq!(
        world.text("SELECT count(*)::text FROM contact_picture").await,
        ["1"],
        "the picture of the sent inquiry"
    );
}

#[tokio::test]
async fn the_storage_of_pictures_is_limited() {
    for (waiting_mib, all_mib) in [(1, 4), (4, 1)] {
        let world = World::new().await;
        let mut config = world.config(NOBODY);
        config.contacts.pictures_waiting_mib = waiting_mib;
        config.contacts.pictures_mib = all_mib;
        let desk = world.serve_as(config).await;
        let mut kept = 0;
        while put(&desk, noise()).await.is_ok() {
            kept += 1;
            assert!(kept < 20, "the limit is reached");
        }
        assert!(kept > 0);
        let bytes = world.text("SELECT sum(octet_length(sealed))::text FROM contact_picture").await;
        let bytes: usize = bytes[0].parse().unwrap();
        assert!((500_000..=1 << 20).contains(&bytes), "{bytes}");
    }
}

#[tokio::test]
async fn the_number_of_pictures_of_one_network_is_limited() {
    let world = World::new().await;
    let mut config = world.config(NOBODY);
    config.contacts.pictures_per_hour = 2;
    let desk = world.serve_as(config).await;
    let mut tried = 0;
    for host in 0..100 {
        let address = format!("2001:db8:1:{host:x}00::1");
        tried += u32::from(put_from(&desk, &address, Vec::new()).await.unwrap_err() == "PICTURE_UNREADABLE");
    }
    assert_eq!(tried, 2 * 16);
}

/// A WebP picture whose EXIF chunk declares this many bytes.
fn webp_that_claims(claimed: u32) -> Vec<u8> {
    const EXIF: &[u8] = b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0";
    let plain = encoded(ImageFormat::WebP);
    let extended = [&b"VP8X\x0a\0\0\0\x08\0\0\0"[..], &[59, 0, 0], &[39, 0, 0]].concat();
    let chunks = [&extended, &plain[12..], b"EXIF", &claimed.to_le_bytes(), EXIF].concat();
    let size = u32::try_from(chunks.len() + 4).unwrap().to_le_bytes();
    [b"RIFF", &size[..], b"WEBP", &chunks].concat()
}

/// Peak of the virtual memory of this process in KiB.
fn peak_of_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmPeak:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[tokio::test]
async fn no_memory_is_allocated_for_a_declared_size() {
    let world = World::new().await;
    let desk = world.serve(NOBODY).await;
    put(&desk, webp_that_claims(26)).await.expect("the file is valid");
    let before = peak_of_memory();
    // Up to 4 GiB.
    for claimed in [u32::MAX, u32::MAX - 1, 1 << 31] {
        put(&desk, webp_that_claims(claimed)).await.expect("the picture is complete");
    }
    let grown = peak_of_memory().saturating_sub(before);
    assert!(grown < 1 << 20, "{grown} KiB");
}
