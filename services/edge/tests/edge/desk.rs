//! Notices, FAQ and inquiries, as browsers and feed readers see them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use insta::assert_json_snapshot;
use serde_json::{Value, json};

use crate::support::{Answer, Edge, ORIGIN, World};

/// A picture of one pixel.
const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

pub(crate) fn png() -> Bytes {
    STANDARD.decode(PNG).unwrap().into()
}

async fn put(edge: &Edge, media_type: &str, picture: Bytes) -> Answer {
    let headers = [("content-type", media_type)];
    edge.send_bytes("POST", "/api/desk/contact/picture/", &headers, picture).await
}

fn inquiry() -> Value {
    json!({
        "kind": "technical", "name": "山田 花子", "email": "hanako@demo.example",
        "text": "動画が途中で止まってしまいます。", "picture": null, "website": ""
    })
}

async fn write(edge: &Edge, key: &str, inquiry: &Value) -> Answer {
    let headers = [("content-type", "application/json"), ("idempotency-key", key)];
    edge.send("POST", "/api/desk/contact/", &headers, &inquiry.to_string()).await
}

/// Returns the response for a snapshot, without random values.
fn promise(answer: &Answer, random: &str) -> Value {
    let mut promise = answer.promise();
    assert!(promise["body"][random].is_string(), "{promise}");
    promise["body"][random] = "…".into();
    promise
}

#[tokio::test]
async fn public_content_of_desk() {
    let world = World::new().await;
    let edge = world.edge().await;
    for (name, path) in [
        ("notice_list", "/api/desk/notice/"),
        ("notice", "/api/desk/notice/1/"),
        ("faq_list", "/api/desk/faq/?q=%E8%A7%A3%E7%B4%84"),
        ("faq", "/api/desk/faq/1/"),
        ("success", "/api/desk/success/2025/"),
        ("voice_list", "/api/desk/success/voice/?course=201"),
        ("entry_exam_list", "/api/desk/entry-exam/?prefecture=%E6%9D%B1%E4%BA%AC%E9%83%BD"),
    ] {
        let answer = edge.get(path, None).await;
        assert_json_snapshot!(name, answer.promise());
        let known = [("if-none-match", answer.header("etag").unwrap())];
        assert_eq!(edge.send("GET", path, &known, "").await.outcome(), "304", "{path}");
    }
    assert_eq!(edge.get("/api/desk/notice/?category=%E8%AC%9B%E5%BA%A7", None).await.json()["count"], 0);
    for (path, outcome) in [
        ("/api/desk/notice/3/", "404 NOT_FOUND"),
        ("/api/desk/notice/?page=2", "404 NOT_FOUND"),
        ("/api/desk/notice/?page=0", "400 INVALID_PAGE"),
        ("/api/desk/faq/9/", "404 NOT_FOUND"),
        ("/api/desk/faq/?q=%20", "400 INVALID"),
        ("/api/desk/success/2023/", "404 NOT_FOUND"),
        ("/api/desk/success/99999999999/", "404 NOT_FOUND"),
        ("/api/desk/success/voice/?course=x", "400 INVALID"),
        ("/api/desk/entry-exam/?prefecture=none", "400 INVALID"),
    ] {
        assert_eq!(edge.get(path, None).await.outcome(), outcome, "{path}");
    }
}

#[tokio::test]
async fn the_feed_is_well_formed_and_leads_to_the_public_site() {
    let world = World::new().await;
    let edge = world.edge().await;
    let answer = edge.get("/api/desk/notice/feed/", None).await;
    assert_eq!(answer.header("content-type"), Some("application/atom+xml"));
    let feed = String::from_utf8(answer.body.to_vec()).unwrap();
    let texts = texts_of(&feed);
    assert!(texts.contains(&"夏の &lt;講座&gt; &amp; &quot;教材&quot;".to_owned()), "{feed}");
    assert!(texts.contains(&"新しい講座を &lt;b&gt;公開&lt;/b&gt; しました。".to_owned()), "{feed}");
    assert!(texts.contains(&format!("{ORIGIN}/notice/1")) && texts.contains(&format!("{ORIGIN}/notice/2")));
    assert!(feed.contains(&format!("href=\"{ORIGIN}/notice/1\"")) && !feed.contains("下書き"), "{feed}");
    assert!(feed.contains("<updated>2026-11-12T01:00:00Z</updated>"), "{feed}");
    let known = [("if-none-match", answer.header("etag").unwrap())];
    assert_eq!(edge.send("GET", "/api/desk/notice/feed/", &known, "").await.outcome(), "304");
}

/// Returns the texts of an XML document. Fails unless tags are balanced and every entity is known.
fn texts_of(xml: &str) -> Vec<String> {
    let (declaration, mut rest) = xml.split_once("?>").unwrap();
    assert_eq!(declaration, "<?xml version=\"1.0\" encoding=\"utf-8\"");
    let (mut open, mut texts) = (Vec::new(), Vec::new());
    while let Some((text, after)) = rest.split_once('<') {
        let (tag, following) = after.split_once('>').unwrap();
        for entity in text.split('&').skip(1).chain(tag.split('&').skip(1)) {
            let known = ["amp;", "lt;", "gt;", "quot;"];
            assert!(known.iter().any(|known| entity.starts_with(known)), "{entity}");
        }
        assert!(!text.contains('>') && tag.matches('"').count() % 2 == 0, "{tag}");
        texts.push(text.to_owned());
        match tag.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name), "{xml}"),
            None if tag.ends_with('/') => {}
            None => open.push(tag.split(' ').next().unwrap()),
        }
        rest = following;
    }
    assert!(open.is_empty() && rest.trim().is_empty(), "{open:?}");
    texts
}

#[tokio::test]
async fn a_vote_counts_once_across_edges() {
    let world = World::new().await;
    let (edge, other) = (world.edge().await, world.edge().await);
    let helpful = json!({"helpful": true});
    for edge in [&edge, &other, &edge] {
        assert_eq!(edge.post("/api/desk/faq/1/vote/", &helpful).await.outcome(), "204");
    }
    assert_eq!(edge.get("/api/desk/faq/1/", None).await.json()["helpful_count"], 1);
    assert_eq!(edge.post("/api/desk/faq/9/vote/", &helpful).await.outcome(), "404 NOT_FOUND");
    let junk = edge.post("/api/desk/faq/1/vote/", &json!({"helpful": 1})).await;
    assert_eq!(junk.outcome(), "400 INVALID");
}

#[tokio::test]
async fn inquiries() {
    let world = World::new().await;
    let edge = world.edge().await;
    let picture = put(&edge, "image/png", png()).await;
    assert_json_snapshot!("contact_picture", promise(&picture, "picture"));
    let with_picture = Value::Object(
        inquiry()
            .as_object()
            .unwrap()
            .clone()
            .into_iter()
            .chain([("picture".to_owned(), picture.json()["picture"].clone())])
            .collect(),
    );
    let taken = write(&edge, "key-1-of-this-test", &with_picture).await;
    assert_json_snapshot!("contact", promise(&taken, "number"));
    assert_eq!(write(&edge, "key-1-of-this-test", &with_picture).await.json(), taken.json());
    let reused = write(&edge, "key-1-of-this-test", &inquiry()).await;
    assert_json_snapshot!("contact_with_a_key_of_another", without_trace(&reused));
    let wrong = json!({"kind": "sales", "name": "", "email": "x", "text": "短い", "website": 1, "more": 1});
    assert_json_snapshot!(
        "contact_with_wrong_fields",
        without_trace(&write(&edge, "key-2-of-this-test", &wrong).await)
    );
    let short = json!({"kind": "other", "name": "山", "email": "a@b.example", "text": "短い", "website": ""});
    assert_json_snapshot!(
        "contact_with_too_little",
        without_trace(&write(&edge, "key-2-of-this-test", &short).await)
    );
    let headers = [("content-type", "application/json")];
    let keyless = edge.send("POST", "/api/desk/contact/", &headers, &inquiry().to_string()).await;
    assert_eq!(keyless.json()["errors"][0], json!({"field": "idempotency_key", "code": "REQUIRED"}));
}

fn without_trace(answer: &Answer) -> Value {
    promise(answer, "trace_id")
}

#[tokio::test]
async fn two_edges_share_the_limit_and_say_when_to_come_again() {
    let world = World::new().await;
    let (edge, other) = (world.edge().await, world.edge().await);
    for turn in 0..5 {
        let edge = if turn % 2 == 0 { &edge } else { &other };
        assert_eq!(write(edge, &format!("key-{turn}-of-this-test"), &inquiry()).await.outcome(), "201");
    }
    for edge in [&edge, &other] {
        let refused = write(edge, "key-6-of-this-test", &inquiry()).await;
        assert_eq!(refused.outcome(), "429 RATE_LIMITED");
        assert_eq!(refused.header("retry-after"), Some("720"));
    }
}

#[tokio::test]
async fn a_picture_has_bounds_of_its_own_and_nothing_else_has_them() {
    let world = World::new().await;
    let edge = world.edge().await;
    let most = 5 * 1024 * 1024;
    let of = |size: usize| Bytes::from([png().to_vec(), vec![0; size - png().len()]].concat());
    assert_eq!(put(&edge, "image/png", of(most)).await.outcome(), "201");
    let large = put(&edge, "image/png", of(most + 1)).await;
    assert_eq!(large.outcome(), "413 PICTURE_TOO_LARGE");
    assert_eq!(large.header("connection"), Some("close"));
    let fake = put(&edge, "image/png", Bytes::from_static(b"\x89PNG\r\n\x1a\n<script>")).await;
    assert_eq!(fake.outcome(), "400 PICTURE_UNREADABLE");
    assert_eq!(fake.json()["errors"][0], json!({"field": "picture", "code": "PICTURE_UNREADABLE"}));
    assert_eq!(put(&edge, "image/png", Bytes::new()).await.outcome(), "400 INVALID");
    for media_type in ["application/json", "image/svg+xml", "image/gif", "text/plain", "multipart/form-data"]
    {
        assert_eq!(
            put(&edge, media_type, png()).await.outcome(),
            "415 UNSUPPORTED_MEDIA_TYPE",
            "{media_type}"
        );
    }
    // All other writes are small JSON bodies from the site's own origin.
    let headers = [("content-type", "image/png"), ("idempotency-key", "key-of-this-test")];
    let elsewhere = edge.send_bytes("POST", "/api/desk/contact/", &headers, png()).await;
    assert_eq!(elsewhere.outcome(), "415 UNSUPPORTED_MEDIA_TYPE");
    let elsewhere = edge.send_bytes("POST", "/api/desk/contact/", &headers, of(64 * 1024 + 1)).await;
    assert_eq!(elsewhere.outcome(), "413 BODY_TOO_LARGE");
    for (headers, outcome) in [
        ([("content-type", "image/png"), ("origin", "https://evil.example")], "403 ORIGIN_FORBIDDEN"),
        ([("content-type", "image/png"), ("sec-fetch-site", "cross-site")], "403 ORIGIN_FORBIDDEN"),
        ([("content-type", "image/png"), ("cookie", "a=b")], "403 CSRF_FAILED"),
    ] {
        let answer = edge.send_bytes("POST", "/api/desk/contact/picture/", &headers, png()).await;
        assert_eq!(answer.outcome(), outcome);
    }
}
