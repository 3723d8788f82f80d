//! Web Push to a push service on loopback, which decrypts with aws-lc-rs; desk encrypts with another implementation.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration as StdDuration;

use aws_lc_rs::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use aws_lc_rs::agreement::{ECDH_P256, PrivateKey, UnparsedPublicKey, agree};
use aws_lc_rs::hkdf::{HKDF_SHA256, Salt};
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::IntoResponse as _;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::{HeaderMap, StatusCode};
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode};
use kit::test::account as caller_with;
use proto::auth::{AccountErased, ExamResultAnnounced};
use proto::desk as wire;
use proto::desk::notification_service_client::NotificationServiceClient;
use serde_json::{Value, json};
use time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::timeout;
use tonic::{Code, Status};

use crate::world::{ACCOUNT, Desk, NOW, World, timestamp};

const OTHER: &str = "01936f2a-4c00-7a31-8b52-1f6d0c9e4b00";
const CHROME: &str = "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36";
/// Pushes that wait.
const WAITING: &str = "SELECT count(*)::text FROM push";
/// Whether a browser got each notification.
const IS_PUSHED: &str = "SELECT is_pushed::text FROM notification";

/// A request that the push service received.
struct Pushed {
    headers: HeaderMap,
    body: Bytes,
}

/// A push service with scripted answers; then it accepts.
struct PushService {
    address: SocketAddr,
    pushes: UnboundedReceiver<Pushed>,
    answers: Answers,
}

/// Statuses with the Retry-After header.
type Answers = Arc<Mutex<VecDeque<(u16, Option<&'static str>)>>>;

impl PushService {
    async fn start() -> Self {
        let (sender, pushes) = unbounded_channel();
        let answers = Answers::default();
        let router = Router::new().fallback(receive).with_state((sender, answers.clone()));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        kit::task::spawn_untracked(
            "push service",
            async move { axum::serve(listener, router).await.unwrap() },
        );
        Self { address, pushes, answers }
    }

    fn answer(&self, status: u16, retry_after: Option<&'static str>) {
        self.answers.lock().unwrap().push_back((status, retry_after));
    }

    async fn next(&mut self) -> Pushed {
        timeout(StdDuration::from_secs(15), self.pushes.recv()).await.expect("a push arrives").unwrap()
    }
}

async fn receive(
    State((sender, answers)): State<(UnboundedSender<Pushed>, Answers)>,
    headers: HeaderMap,
    body: Bytes,
) -> axum::response::Response {
    sender.send(Pushed { headers, body }).unwrap();
    let (status, retry_after) = answers.lock().unwrap().pop_front().unwrap_or((201, None));
    let retry: Vec<_> = retry_after.map(|seconds| ("retry-after", seconds)).into_iter().collect();
    let mut answer = StatusCode::from_u16(status).unwrap().into_response();
    for (name, value) in retry {
        answer.headers_mut().insert(name, value.parse().unwrap());
    }
    answer
}

/// A browser that subscribes at the push service.
struct Browser {
    key: PrivateKey,
    public: Vec<u8>,
    auth: [u8; 16],
    endpoint: String,
}

impl Browser {
    fn new(service: &PushService) -> Self {
        let key = PrivateKey::generate(&ECDH_P256).unwrap();
        let public = key.compute_public_key().unwrap().as_ref().to_vec();
        let endpoint = format!("http://{}/send/{}", service.address, uuid::Uuid::now_v7());
        Self { key, public, auth: *uuid::Uuid::new_v4().as_bytes(), endpoint }
    }

    fn request(&self) -> wire::SavePushDeviceRequest {
        wire::SavePushDeviceRequest {
            endpoint: self.endpoint.clone(),
            p256dh: URL_SAFE_NO_PAD.encode(&self.public),
            auth: URL_SAFE_NO_PAD.encode(self.auth),
            user_agent: CHROME.to_owned(),
        }
    }

    /// Decrypts a message (RFC 8291, 3.4; RFC 8188, 2).
    fn decrypt(&self, body: &[u8]) -> Value {
        let (salt, rest) = body.split_at(16);
        let (head, rest) = rest.split_at(5);
        let (sender, sealed) = rest.split_at(usize::from(head[4]));
        assert!(body.len() <= 4_096, "one record (RFC 8291, 4)");
        let secret =
            agree(&self.key, UnparsedPublicKey::new(&ECDH_P256, sender), (), |secret| Ok(secret.to_vec()));
        let info: [&[u8]; 3] = [b"WebPush: info\0", &self.public, sender];
        let input = expand(&self.auth, &secret.unwrap(), &info, 32);
        let key = expand(salt, &input, &[b"Content-Encoding: aes128gcm\0".as_slice()], 16);
        let nonce = expand(salt, &input, &[b"Content-Encoding: nonce\0".as_slice()], 12);
        let key = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key).unwrap());
        let mut text = sealed.to_vec();
        let nonce = Nonce::try_assume_unique_for_key(&nonce).unwrap();
        let text = key.open_in_place(nonce, Aad::empty(), &mut text).unwrap();
        let end = text.iter().rposition(|byte| *byte == 2).expect("the delimiter of the last record");
        serde_json::from_slice(&text[..end]).unwrap()
    }
}

fn expand(salt: &[u8], secret: &[u8], info: &[&[u8]], length: usize) -> Vec<u8> {
    let mut output = vec![0; length];
    let key = Salt::new(HKDF_SHA256, salt).extract(secret);
    key.expand(info, Length(length)).unwrap().fill(&mut output).unwrap();
    output
}

#[derive(Clone, Copy)]
struct Length(usize);

impl aws_lc_rs::hkdf::KeyType for Length {
    fn len(&self) -> usize {
        self.0
    }
}

pub(crate) async fn serve(world: &World) -> Desk {
    world
        .serve_as(world.config_with("smtp://127.0.0.1:1", &["--push-secret", PUSH_SECRET, "--push-loopback"]))
        .await
}

const PUSH_SECRET: &str = "ffeeddccbbaa99887766554433221100ffeeddccbbaa99887766554433221100";

fn client(desk: &Desk, account: &str) -> NotificationServiceClient<kit::client::Channel> {
    NotificationServiceClient::new(desk.server.channel_as(caller_with(account.parse().unwrap(), &[])))
}

pub(crate) async fn save(
    desk: &Desk,
    account: &str,
    request: wire::SavePushDeviceRequest,
) -> Result<String, Status> {
    Ok(client(desk, account).save_push_device(request).await?.into_inner().id)
}

async fn settings(desk: &Desk, account: &str) -> wire::GetNotificationSettingsResponse {
    let request = wire::GetNotificationSettingsRequest { birth_date: None };
    client(desk, account).get_notification_settings(request).await.unwrap().into_inner()
}

fn announced() -> ExamResultAnnounced {
    ExamResultAnnounced {
        to: "hanako@demo.example".to_owned(),
        account_id: ACCOUNT.to_owned(),
        name: "山田 花子".to_owned(),
        exam_id: 3,
        exam_name: "第1回 コノ模試".to_owned(),
        ..ExamResultAnnounced::default()
    }
}

#[tokio::test]
async fn a_browser_decrypts_what_was_sent_and_the_signature_is_for_its_push_service() {
    let world = World::new().await;
    let mut service = PushService::start().await;
    let desk = serve(&world).await;
    let browser = Browser::new(&service);
    let id = save(&desk, ACCOUNT, browser.request()).await.unwrap();
    assert_eq!(save(&desk, ACCOUNT, browser.request()).await.unwrap(), id, "the same browser");
    desk.tell(&announced()).await;
    let pushed = service.next().await;
    let message = browser.decrypt(&pushed.body);
    let notification = world.text("SELECT id::text FROM notification").await;
    assert_eq!(
        message,
        json!({"id": notification[0], "text": "模試の成績が確定しました", "path": "/mypage/mockexam/3/result"})
    );
    let header = |name: &str| pushed.headers[name].to_str().unwrap().to_owned();
    assert_eq!((header("content-encoding"), header("ttl")), ("aes128gcm".to_owned(), "86400".to_owned()));
    let key = settings(&desk, ACCOUNT).await.push_key.unwrap();
    let authorization = header("authorization");
    let token = authorization.strip_prefix("vapid t=").unwrap().strip_suffix(&format!(", k={key}")).unwrap();
    let point = URL_SAFE_NO_PAD.decode(&key).unwrap();
    let (x, y) = (URL_SAFE_NO_PAD.encode(&point[1..33]), URL_SAFE_NO_PAD.encode(&point[33..]));
    let mut validation = Validation::new(Algorithm::ES256);
    validation.set_audience(&[format!("http://{}", service.address)]);
    validation.validate_exp = false;
    let claims: Value =
        decode(token, &DecodingKey::from_ec_components(&x, &y).unwrap(), &validation).unwrap().claims;
    assert_eq!(claims["exp"], json!((NOW + Duration::hours(12)).unix_timestamp()));
    assert_eq!(claims["sub"], "mailto:support@konomana.test");
    world.comes_to(WAITING, &["0"]).await;
    assert_eq!(world.text(IS_PUSHED).await, ["true"]);
    let devices = settings(&desk, ACCOUNT).await.push_devices;
    assert_eq!((devices.len(), devices[0].device.as_str()), (1, "Windows パソコン の Chrome"));
    assert_eq!((devices[0].sent_at, devices[0].ended_at), (Some(timestamp(NOW)), None));
    let rows =
        world.text("SELECT push_subscription::text || encode(sealed, 'escape') FROM push_subscription").await;
    assert!(!rows[0].contains(&browser.endpoint), "the endpoint is encrypted");
}

#[tokio::test]
async fn a_browser_that_is_gone_ends_and_its_owner_sees_it() {
    let world = World::new().await;
    let mut service = PushService::start().await;
    let desk = serve(&world).await;
    for status in [404, 410] {
        let browser = Browser::new(&service);
        let id = save(&desk, ACCOUNT, browser.request()).await.unwrap();
        service.answer(status, None);
        desk.tell(&announced()).await;
        service.next().await;
        world.comes_to(WAITING, &["0"]).await;
        assert!(!world.text(IS_PUSHED).await.contains(&"true".to_owned()), "it got nothing");
        let devices = settings(&desk, ACCOUNT).await.push_devices;
        let device = devices.iter().find(|device| device.id == id).unwrap();
        assert_eq!(device.ended_at, Some(timestamp(NOW)), "{status}");
        desk.tell(&announced()).await;
        world.comes_to(WAITING, &["0"]).await;
        assert!(service.pushes.try_recv().is_err(), "nothing is sent to it again");
        // The browser subscribes again.
        assert_eq!(save(&desk, ACCOUNT, browser.request()).await.unwrap(), id);
        assert!(settings(&desk, ACCOUNT).await.push_devices.iter().all(|device| device.ended_at.is_none()));
        client(&desk, ACCOUNT).delete_push_device(wire::DeletePushDeviceRequest { id }).await.unwrap();
    }
}

#[tokio::test]
async fn a_busy_push_service_is_asked_again_after_the_time_that_it_names() {
    let world = World::new().await;
    let mut service = PushService::start().await;
    let desk = serve(&world).await;
    let browser = Browser::new(&service);
    save(&desk, ACCOUNT, browser.request()).await.unwrap();
    service.answer(429, Some("120"));
    service.answer(503, Some("60"));
    desk.tell(&announced()).await;
    service.next().await;
    world.comes_to("SELECT (next_try_at - created_at)::text FROM push WHERE tries = 1", &["00:02:00"]).await;
    world.clock.advance(Duration::minutes(2));
    service.next().await;
    world.comes_to("SELECT (next_try_at - created_at)::text FROM push WHERE tries = 2", &["00:03:00"]).await;
    world.clock.advance(Duration::MINUTE);
    assert_eq!(browser.decrypt(&service.next().await.body)["path"], "/mypage/mockexam/3/result");
    world.comes_to(WAITING, &["0"]).await;
}

#[tokio::test]
async fn pushes_obey_the_settings_of_their_topic_and_the_quiet_hours() {
    let world = World::new().await;
    let mut service = PushService::start().await;
    let desk = serve(&world).await;
    save(&desk, ACCOUNT, Browser::new(&service).request()).await.unwrap();
    let set = async |push_off: &[&str], quiet: Option<(u32, u32)>| {
        let settings = wire::NotificationSettings {
            push_off: push_off.iter().map(|topic| (*topic).to_owned()).collect(),
            quiet_hours: quiet.map(|(from, until)| wire::QuietHours { from, until }),
            ..wire::NotificationSettings::default()
        };
        let request = wire::SetNotificationSettingsRequest {
            settings: Some(settings),
            ..wire::SetNotificationSettingsRequest::default()
        };
        client(&desk, ACCOUNT).set_notification_settings(request).await.unwrap();
    };
    set(&["exam_result"], None).await;
    desk.tell(&announced()).await;
    assert_eq!(world.text(WAITING).await, ["0"]);
    // It is 18:00 in Japan.
    set(&[], Some((18, 6))).await;
    desk.tell(&announced()).await;
    assert_eq!(world.text("SELECT (next_try_at - created_at)::text FROM push").await, ["12:00:00"]);
    set(&["exam_result"], Some((18, 6))).await;
    assert_eq!(world.text(WAITING).await, ["0"]);
    set(&[], Some((18, 6))).await;
    desk.tell(&announced()).await;
    set(&[], None).await;
    service.next().await;
    world.comes_to(WAITING, &["0"]).await;
}

#[tokio::test]
async fn a_browser_belongs_to_the_account_that_stored_it_last_and_goes_with_it() {
    let world = World::new().await;
    let service = PushService::start().await;
    let desk = serve(&world).await;
    let browser = Browser::new(&service);
    save(&desk, OTHER, browser.request()).await.unwrap();
    let id = save(&desk, ACCOUNT, browser.request()).await.unwrap();
    assert_eq!(settings(&desk, OTHER).await.push_devices, []);
    client(&desk, OTHER).delete_push_device(wire::DeletePushDeviceRequest { id }).await.unwrap();
    assert_eq!(settings(&desk, ACCOUNT).await.push_devices.len(), 1, "not its own");
    desk.tell(&AccountErased { account_id: ACCOUNT.to_owned() }).await;
    assert_eq!(world.text("SELECT count(*)::text FROM push_subscription").await, ["0"]);
    assert_eq!(save(&desk, ACCOUNT, browser.request()).await.unwrap_err().code(), Code::NotFound);
}

#[tokio::test]
async fn an_address_of_a_private_network_is_refused_and_without_a_secret_nothing_is_offered() {
    let world = World::new().await;
    let service = PushService::start().await;
    let browser = Browser::new(&service);
    let desk = world.serve("smtp://127.0.0.1:1").await;
    assert_eq!(settings(&desk, ACCOUNT).await.push_key, None);
    assert_eq!(save(&desk, ACCOUNT, browser.request()).await.unwrap_err().code(), Code::NotFound);
    let desk = world.serve_as(world.config_with("smtp://127.0.0.1:1", &["--push-secret", PUSH_SECRET])).await;
    for endpoint in
        [&browser.endpoint, "https://169.254.169.254/latest", "https://desk.internal:8443/", "https://[::1]/"]
    {
        let request = wire::SavePushDeviceRequest { endpoint: endpoint.to_owned(), ..browser.request() };
        assert_eq!(
            save(&desk, ACCOUNT, request).await.unwrap_err().code(),
            Code::InvalidArgument,
            "{endpoint}"
        );
    }
    let point = URL_SAFE_NO_PAD.encode([4; 65]);
    let endpoint = "https://push.example.com/x".to_owned();
    let request = wire::SavePushDeviceRequest { endpoint, p256dh: point, ..browser.request() };
    assert_eq!(
        save(&desk, ACCOUNT, request).await.unwrap_err().code(),
        Code::InvalidArgument,
        "not on the curve"
    );
}
