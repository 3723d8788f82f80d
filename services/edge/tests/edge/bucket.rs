//! Media files in a bucket: a real S3 server over real sockets that rejects invalid signatures.

use std::sync::{Arc, Mutex, PoisonError};

use crate::support::{Edge, Folder, ONE, World, bytes};
use axum::Router;
use axum::body::Body;
use axum::extract::{RawQuery, Request};
use edge::config::MediaPlace;
use kit::test::TestServer;
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;
use s3s_fs::FileSystem;
use serde_json::json;

const ID: &str = "konomana-edge";
const SECRET: &str = "a secret of the tests";
const LESSON: &str = "lesson/201010101";
const OPEN: &str = "/api/media/open/course/201/sample/0.m4s";

/// A bucket `media`. Its folder `school` has the media files.
struct Bucket {
    folder: Folder,
    server: TestServer,
    /// Every request: method, path and query.
    requests: Arc<Mutex<Vec<String>>>,
}

impl Bucket {
    /// Starts the server. It accepts the key above, or any request if not `is_signed`.
    async fn open(is_signed: bool) -> Self {
        let folder = Folder::new();
        folder.write("media/school/open/course/201/sample/0.m4s", &bytes(100));
        folder.write(&format!("media/school/{LESSON}/360p/0.m4s"), &bytes(5_000_001));
        folder.write("media/secret.json", b"{}");
        let mut service = S3ServiceBuilder::new(FileSystem::new(folder.path()).unwrap());
        if is_signed {
            service.set_auth(SimpleAuth::from_single(ID, SECRET));
        }
        let service = service.build();
        let requests = Arc::default();
        let recorded: Arc<Mutex<Vec<String>>> = Arc::clone(&requests);
        let app = Router::new().fallback(async move |request: Request| {
            let line = format!("{} {}", request.method(), request.uri());
            recorded.lock().unwrap_or_else(PoisonError::into_inner).push(line);
            service.call(request.map(s3s::Body::http_body_unsync)).await.unwrap().map(Body::new)
        });
        Self { folder, server: TestServer::http(app).await, requests }
    }

    /// Starts an edge that reads the bucket, with this key id and secret.
    async fn edge(&self, world: &World, key: Option<(&str, &str)>) -> Edge {
        let mut settings = world.settings();
        settings.media.store = MediaPlace::Bucket { name: "media".to_owned(), folder: "school".to_owned() };
        settings.media.endpoint = Some(self.server.url());
        settings.media.access_key_id = key.map(|(id, _)| id.to_owned());
        settings.media.secret_access_key = key.map(|(_, secret)| secret.to_owned());
        Edge::new(&settings, world.clock.clock()).await
    }

    fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[tokio::test]
async fn a_bucket_serves_files_and_ranges_and_is_never_listed() {
    let (world, bucket) = (World::new().await, Bucket::open(true).await);
    let edge = bucket.edge(&world, Some((ID, SECRET))).await;
    let ask = async |headers: &[(&str, &str)]| edge.send("GET", OPEN, headers, "").await;
    let whole = ask(&[]).await;
    assert_eq!((whole.outcome().as_str(), &whole.body[..]), ("200", &bytes(100)[..]));
    assert_eq!(whole.header("content-type"), Some("video/iso.segment"));
    let etag = whole.header("etag").unwrap();

    let part = ask(&[("range", "bytes=10-19"), ("if-range", etag)]).await;
    assert_eq!((part.outcome().as_str(), &part.body[..]), ("206", &bytes(100)[10..20]));
    assert_eq!((part.header("content-range"), part.header("etag")), (Some("bytes 10-19/100"), Some(etag)));
    let last = ask(&[("range", "bytes=-5")]).await;
    assert_eq!((last.outcome().as_str(), &last.body[..]), ("206", &bytes(100)[95..]));
    assert_eq!(ask(&[("range", "bytes=100-")]).await.outcome(), "416 RANGE_NOT_SATISFIABLE");
    assert_eq!(ask(&[("if-none-match", etag)]).await.outcome(), "304");
    let head = edge.call("HEAD", OPEN, None).await;
    assert_eq!((head.header("content-length"), head.header("etag")), (Some("100"), Some(etag)));
    bucket.folder.write("media/school/open/course/201/sample/0.m4s", &bytes(99));
    let changed = ask(&[("if-none-match", etag)]).await;
    assert_eq!((changed.outcome().as_str(), changed.body.len()), ("200", 99));

    let (token, _) = edge.login(ONE).await;
    let start = json!({"device": uuid::Uuid::nil(), "take_over": false});
    let started = edge.with("POST", &format!("/api/lms/{LESSON}/stream/"), &token, &start).await.json();
    let files = started["playlist"].as_str().unwrap().strip_suffix("master.m3u8").unwrap();
    let video = edge.get(&format!("{files}360p/0.m4s"), None).await;
    assert!(video.body == bytes(5_000_001), "{} bytes", video.body.len());
    for path in ["/api/media/open/unknown.mp4", "/api/media/open/course/201/sample", &format!("{files}1.m4s")]
    {
        assert_eq!(edge.get(path, None).await.outcome(), "404 NOT_FOUND", "{path}");
    }

    for line in bucket.requests() {
        let (method, path) = line.split_once(' ').unwrap();
        assert!(["GET", "HEAD"].contains(&method), "{line}");
        assert!(path.starts_with("/media/school/") && !path.contains('?') && !path.ends_with('/'), "{line}");
    }
}

#[tokio::test]
async fn a_bucket_that_refuses_or_is_gone_is_an_upstream_that_is_down() {
    let (world, bucket) = (World::new().await, Bucket::open(true).await);
    let stranger = [None, Some((ID, "another secret")), Some(("somebody-else", SECRET))];
    for key in stranger {
        let edge = bucket.edge(&world, key).await;
        assert_eq!(edge.get(OPEN, None).await.outcome(), "502 UPSTREAM_UNAVAILABLE", "{key:?}");
    }
    assert_eq!(bucket.requests().len(), stranger.len(), "a refused request is not repeated");

    let edge = bucket.edge(&world, Some((ID, SECRET))).await;
    assert_eq!(edge.get(OPEN, None).await.outcome(), "200");
    bucket.server.shutdown.begin();
    loop {
        let outcome = edge.get(OPEN, None).await.outcome();
        if outcome == "502 UPSTREAM_UNAVAILABLE" {
            break;
        }
        assert_eq!(outcome, "200");
    }
}

#[tokio::test]
async fn a_public_bucket_is_read_without_a_signature() {
    let (world, bucket) = (World::new().await, Bucket::open(false).await);
    assert_eq!(bucket.edge(&world, None).await.get(OPEN, None).await.outcome(), "200");
}

#[tokio::test]
async fn a_role_reads_a_bucket_with_the_clusters_token() {
    let (world, bucket) = (World::new().await, Bucket::open(true).await);
    // The format of an AWS response.
    let given = format!(
        "<AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult><Credentials>\
         <SessionToken>a session</SessionToken><SecretAccessKey>{SECRET}</SecretAccessKey>\
         <Expiration>2099-01-01T00:00:00Z</Expiration><AccessKeyId>{ID}</AccessKeyId>\
         </Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>"
    );
    let roles = Router::new().fallback(async move |RawQuery(query): RawQuery| {
        let query = query.unwrap();
        let is_asked = |pair: &str| query.split('&').any(|given| given == pair);
        assert!(is_asked("Action=AssumeRoleWithWebIdentity"), "{query}");
        if is_asked("WebIdentityToken=of-the-cluster") && is_asked("RoleArn=reader") {
            (http::StatusCode::OK, given.clone())
        } else {
            (http::StatusCode::FORBIDDEN, String::new())
        }
    });
    let roles = TestServer::http(roles).await;
    bucket.folder.write("token", b"of-the-cluster");
    for (role, outcome) in [("reader", "200"), ("writer", "502 UPSTREAM_UNAVAILABLE")] {
        let mut settings = world.settings();
        settings.media.store = MediaPlace::Bucket { name: "media".to_owned(), folder: "school".to_owned() };
        settings.media.endpoint = Some(bucket.server.url());
        settings.media.role_arn = Some(role.to_owned());
        settings.media.web_identity_token_file =
            Some(bucket.folder.path().join("token").to_str().unwrap().to_owned());
        settings.media.sts_endpoint = Some(roles.url());
        let edge = Edge::new(&settings, world.clock.clock()).await;
        assert_eq!(edge.get(OPEN, None).await.outcome(), outcome, "{role}");
    }
}
