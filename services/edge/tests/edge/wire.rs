//! Malformed, oversized and slow requests. They never cause a 5xx, and never block other requests.

use std::time::{Duration, Instant};

use kit::clock::Clock;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use crate::support::{Edge, ONE, ORIGIN, PASSWORD, World, settings};

/// Starts an edge without services: the tested requests never reach one.
async fn edge_without_services() -> Edge {
    let unreachable = "http://127.0.0.1:1";
    Edge::new(&settings(unreachable, unreachable, unreachable), Clock::system()).await
}

/// Sends `bytes` unchanged, and reads until the edge closes the connection.
async fn raw(edge: &Edge, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(edge.server.address).await.unwrap();
    // The edge may close the connection before it has read everything.
    let _ = stream.write_all(bytes).await;
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    String::from_utf8_lossy(&answer).into_owned()
}

/// A service that accepts connections and never answers, as long as the listener lives.
async fn mute() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    (listener, url)
}

fn post(headers: &str, body: &str) -> String {
    format!(
        "POST /api/accounts/login/ HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n{headers}\r\n{body}"
    )
}

#[tokio::test]
async fn a_body_is_at_most_64_kib_and_says_its_length() {
    let edge = edge_without_services().await;
    let large = format!("{{\"email\":\"{}\"}}", "a".repeat(64 * 1024));
    let headers = [("content-type", "application/json")];
    let answer = edge.send("POST", "/api/accounts/login/", &headers, &large).await;
    assert_eq!(answer.outcome(), "413 BODY_TOO_LARGE");
    let full = format!("{{\"email\":\"{}\"}}", "a".repeat(64 * 1024 - 12));
    assert_eq!(full.len(), 64 * 1024);
    let answer = edge.send("POST", "/api/accounts/login/", &headers, &full).await;
    assert_eq!(answer.outcome(), "400 INVALID");

    let chunked = raw(&edge, post("transfer-encoding: chunked\r\n", "2\r\n{}\r\n0\r\n\r\n").as_bytes()).await;
    assert!(chunked.starts_with("HTTP/1.1 411 ") && chunked.contains("LENGTH_REQUIRED"), "{chunked}");
    let both =
        raw(&edge, post("content-length: 2\r\ntransfer-encoding: chunked\r\n", "0\r\n\r\n").as_bytes()).await;
    assert!(both.starts_with("HTTP/1.1 4"), "{both}");
    assert_eq!(both.matches("HTTP/1.1").count(), 1, "{both}");
    let announced =
        raw(&edge, post("content-length: 99999999\r\nexpect: 100-continue\r\n", "").as_bytes()).await;
    assert!(announced.starts_with("HTTP/1.1 413 "), "{announced}");
}

#[tokio::test]
async fn a_head_is_at_most_16_kib() {
    let edge = edge_without_services().await;
    let head = |size: usize| {
        format!(
            "GET /api/maintenance/ HTTP/1.1\r\nhost: a\r\nx: {}\r\nconnection: close\r\n\r\n",
            "a".repeat(size)
        )
    };
    let answer = raw(&edge, head(17 * 1024).as_bytes()).await;
    assert!(answer.starts_with("HTTP/1.1 431 "), "{answer}");
    let answer = raw(&edge, head(15 * 1024).as_bytes()).await;
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
}

#[tokio::test]
async fn half_sent_requests_end_after_five_seconds_and_delay_no_others() {
    let edge = edge_without_services().await;
    let half_head = "GET /api/maintenance/ HTTP/1.1\r\nhost: a\r\n";
    let half_body = post("content-length: 100\r\n", "{\"email\":");
    let began = Instant::now();
    let halves = async {
        let heads = futures_util::future::join_all((0..100).map(|_| raw(&edge, half_head.as_bytes())));
        let bodies = futures_util::future::join_all((0..100).map(|_| raw(&edge, half_body.as_bytes())));
        tokio::join!(heads, bodies)
    };
    let others = async {
        // More than the bulkhead of sign-ins admits. The unfinished requests do not delay them.
        for _ in 0..100 {
            let login = edge.post("/api/accounts/login/", &json!({"email": ONE})).await;
            assert_eq!(login.outcome(), "400 INVALID");
            assert_eq!(edge.get("/api/maintenance/", None).await.outcome(), "200");
        }
        assert!(began.elapsed() < Duration::from_secs(4), "{:?}", began.elapsed());
    };
    let ((heads, bodies), ()) = tokio::join!(halves, others);
    assert!(began.elapsed() < Duration::from_secs(7), "{:?}", began.elapsed());
    for head in heads {
        assert!(head.is_empty() || head.starts_with("HTTP/1.1 408 "), "{head}");
    }
    for body in bodies {
        assert!(body.starts_with("HTTP/1.1 408 ") && body.contains("BODY_TOO_SLOW"), "{body}");
    }
}

#[tokio::test]
async fn a_flood_of_sign_ins_leaves_permits_for_learners() {
    let world = World::new().await;
    let (_listener, mute) = mute().await;
    let mut settings = world.settings();
    settings.auth_url = mute;
    (settings.limits.logins, settings.limits.logins_queue) = (2, 1);
    settings.limits.time = Duration::from_secs(3);
    let edge = Edge::new(&settings, world.clock.clock()).await;
    let login = json!({"email": ONE, "password": PASSWORD});
    let flood = futures_util::future::join_all((0..10).map(|_| edge.post("/api/accounts/login/", &login)));
    let others = async {
        assert_eq!(edge.get("/api/lms/course/", None).await.outcome(), "200");
        let refresh = edge.post("/api/accounts/token/refresh/", &json!({"refresh": 1})).await;
        assert_eq!(refresh.outcome(), "400 INVALID");
    };
    let (flood, ()) = tokio::join!(flood, others);
    let sent_away: Vec<_> = flood.iter().filter(|answer| answer.header("retry-after") == Some("1")).collect();
    assert_eq!(sent_away.len(), 7);
    assert!(sent_away.iter().all(|answer| answer.outcome() == "429 OVERLOADED"));
    assert_eq!(flood.iter().filter(|answer| answer.outcome() == "504 OUT_OF_TIME").count(), 3);
}

#[tokio::test]
async fn a_hanging_service_leaves_permits_for_other_requests() {
    let world = World::new().await;
    let (_listener, mute) = mute().await;
    let mut settings = world.settings();
    settings.desk_url = mute;
    (settings.limits.requests, settings.limits.requests_queue) = (2, 1);
    settings.limits.time = Duration::from_secs(3);
    let edge = Edge::new(&settings, world.clock.clock()).await;
    let waiting = futures_util::future::join_all((0..10).map(|_| edge.get("/api/desk/notice/", None)));
    let others = async {
        assert_eq!(edge.get("/api/lms/course/", None).await.outcome(), "200");
        assert_eq!(edge.get("/api/maintenance/", None).await.outcome(), "200");
    };
    let (waiting, ()) = tokio::join!(waiting, others);
    let ended = |outcome| waiting.iter().filter(|answer| answer.outcome() == outcome).count();
    assert_eq!((ended("504 OUT_OF_TIME"), ended("429 OVERLOADED")), (3, 7));
}

#[tokio::test]
async fn without_a_permit_large_or_endless_bodies_are_not_read() {
    let unreachable = "http://127.0.0.1:1";
    let mut settings = settings(unreachable, unreachable, unreachable);
    (settings.limits.logins, settings.limits.logins_queue) = (0, 0);
    let edge = Edge::new(&settings, Clock::system()).await;
    let chunked =
        post("transfer-encoding: chunked\r\n", "2\r\n{}\r\n0\r\n\r\nGET / HTTP/1.1\r\nhost: a\r\n\r\n");
    let announced = post("content-length: 99999999\r\nexpect: 100-continue\r\n", "");
    for request in [chunked, announced] {
        let answer = raw(&edge, request.as_bytes()).await;
        assert!(
            answer.starts_with("HTTP/1.1 429 ") && answer.contains("\r\nconnection: close\r\n"),
            "{answer}"
        );
        assert_eq!(answer.matches("HTTP/1.1").count(), 1, "{answer}");
    }
    let two = post("content-length: 2\r\n", "{}").repeat(2)
        + "GET /livez HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n";
    let answers = raw(&edge, two.as_bytes()).await;
    assert_eq!(
        (answers.matches("HTTP/1.1 429 ").count(), answers.matches("HTTP/1.1 200 ").count()),
        (2, 1),
        "{answers}"
    );
}

#[tokio::test]
async fn malformed_input_is_400_or_404() {
    let world = World::new().await;
    let edge = world.edge().await;
    let (token, _) = edge.login(ONE).await;
    let junk = [
        "0",
        "-1",
        "%2B1",
        "1.5",
        "1e9",
        "abc",
        "%00",
        "1%00",
        "%EF%BC%91",
        "9223372036854775808",
        "%FF",
        "%20",
        "'",
        "99999999999999999999999999999999",
    ];
    for kind in ["inventory", "bookmark", "favorite", "check", "course", "teacher"] {
        for value in junk {
            let page = format!("/api/lms/{kind}/?page={value}");
            assert_eq!(edge.get(&page, Some(&token)).await.outcome(), "400 INVALID_PAGE", "{page}");
            let method = if ["inventory", "course", "teacher"].contains(&kind) { "GET" } else { "PUT" };
            let path = format!("/api/lms/{kind}/{value}/");
            assert_eq!(edge.call(method, &path, Some(&token)).await.outcome(), "404 NOT_FOUND", "{path}");
        }
        let last = format!("/api/lms/{kind}/?page={}", u32::MAX);
        assert_eq!(edge.get(&last, Some(&token)).await.outcome(), "404 NOT_FOUND", "{last}");
        let largest = format!("/api/lms/{kind}/{}/", i64::MAX);
        let method = if ["inventory", "course", "teacher"].contains(&kind) { "GET" } else { "PUT" };
        assert_eq!(edge.call(method, &largest, Some(&token)).await.outcome(), "404 NOT_FOUND", "{largest}");
    }
    for kind in ["favorite", "check"] {
        for value in junk {
            let filter = format!("/api/lms/{kind}/?lesson__unit__chapter__course={value}");
            assert_eq!(edge.get(&filter, Some(&token)).await.outcome(), "400 INVALID", "{filter}");
        }
    }
    for name in ["school_year[]", "category[]", "level[]", "teacher", "price_min", "price_max", "sort", "q"] {
        // Values that are valid search words.
        let is_junk = |value: &&&str| name != "q" || ["", "%00", "1%00", "%20"].contains(*value);
        for value in
            junk.iter().filter(is_junk).filter(|value| !(name.starts_with("price") && **value == "0"))
        {
            let path = format!("/api/lms/course/?{name}={value}");
            assert_eq!(edge.get(&path, None).await.outcome(), "400 INVALID", "{path}");
        }
    }
    for filter in
        ["level[]=%E5%9F%BA%E7%A4%8E&level[]=x", "sort=new&sort=new", "q=a&q=b", "price_max=10000000"]
    {
        let path = format!("/api/lms/course/?{filter}");
        assert_eq!(edge.get(&path, None).await.outcome(), "400 INVALID", "{path}");
    }
    assert_eq!(edge.get("/api/lms/course/?q=%FF%27--", None).await.outcome(), "200");
    assert_eq!(
        edge.get("/api/lms/inventory/?sort_by_watchhistory=yes", Some(&token)).await.outcome(),
        "400 INVALID"
    );
    assert_eq!(edge.get("/api/lms/inventory/?colour=red&page%5B%5D=x", Some(&token)).await.outcome(), "200");
}

#[tokio::test]
async fn junk_bodies_are_refused() {
    let world = World::new().await;
    let edge = world.edge().await;
    let (token, _) = edge.login(ONE).await;
    let json = ("content-type", "application/json");
    let deep = "[".repeat(60_000);
    #[rustfmt::skip]
    let table = [
        ("", "400 MALFORMED_JSON"),
        ("{", "400 MALFORMED_JSON"),
        ("[]", "400 MALFORMED_JSON"),
        (&deep, "400 MALFORMED_JSON"),
        ("{}", "400 INVALID"),
        (r#"{"email":"a\u0000@b.example","password":"x","refresh":"a\u0000"}"#, "400 INVALID"),
        (r#"{"email":9223372036854775808,"password":true,"refresh":{}}"#, "400 INVALID"),
        (r#"{"email":"a@b.example","password":"x","scope":["staff"],"refresh":"a"}"#, "400 INVALID"),
    ];
    for path in ["/api/accounts/login/", "/api/accounts/token/refresh/"] {
        for (body, wanted) in &table {
            let answer = edge.send("POST", path, &[json], body).await;
            assert_eq!(answer.outcome(), *wanted, "{path} {}", &body[..body.len().min(60)]);
        }
        for media_type in
            ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=a"]
        {
            let answer = edge.send("POST", path, &[("content-type", media_type)], "{}").await;
            assert_eq!(answer.outcome(), "415 UNSUPPORTED_MEDIA_TYPE", "{path} {media_type}");
        }
    }
    let long = json!({"email": "a".repeat(255), "password": "a".repeat(129)});
    let long = edge.post("/api/accounts/login/", &long).await.json();
    let wanted = json!([{"field": "email", "code": "TOO_LONG"}, {"field": "password", "code": "TOO_LONG"}]);
    assert_eq!(long["errors"], wanted);

    let with_token = [("authorization", token.as_str()), json];
    let mark = "/api/lms/bookmark/201/";
    assert_eq!(edge.send("PUT", mark, &with_token, "{}").await.outcome(), "204");
    assert_eq!(edge.send("PUT", mark, &with_token, r#"{"user":"1"}"#).await.outcome(), "400 INVALID");
    let form = [("authorization", token.as_str()), ("content-type", "text/plain")];
    assert_eq!(edge.send("PUT", mark, &form, "{}").await.outcome(), "415 UNSUPPORTED_MEDIA_TYPE");
    assert_eq!(edge.send("POST", "/api/accounts/logout/", &with_token, "{}").await.outcome(), "204");
}

#[tokio::test]
async fn a_browser_writes_with_its_cookie_repeated_and_from_our_own_site() {
    let world = World::new().await;
    let edge = world.edge().await;
    let (token, _) = edge.login(ONE).await;
    let first = edge.get("/api/maintenance/", None).await;
    let cookie = first.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    let value = cookie.split_once('=').unwrap().1;
    let token = ("authorization", token.as_str());
    let put = async |headers: &[(&str, &str)]| {
        let headers = [&[token], headers].concat();
        edge.send("PUT", "/api/lms/bookmark/201/", &headers, "").await.outcome()
    };
    assert_eq!(put(&[("cookie", &cookie), ("x-xsrf-token", value), ("origin", ORIGIN)]).await, "204");
    assert_eq!(put(&[("cookie", &cookie)]).await, "403 CSRF_FAILED");
    assert_eq!(put(&[("origin", "https://evil.example")]).await, "403 ORIGIN_FORBIDDEN");
    assert_eq!(put(&[("sec-fetch-site", "cross-site")]).await, "403 ORIGIN_FORBIDDEN");
    assert_eq!(put(&[]).await, "204");
    let again = edge.send("GET", "/api/maintenance/", &[("cookie", &cookie)], "").await;
    assert_eq!(again.header("set-cookie"), None);
    let login = edge.send("POST", "/api/accounts/login/", &[("cookie", "other=1")], "").await;
    assert_eq!(login.outcome(), "403 CSRF_FAILED");
    assert!(login.header("set-cookie").unwrap().starts_with("XSRF-TOKEN="), "the next attempt has a cookie");
}
