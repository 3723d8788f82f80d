//! The mail queue: each mail is sent once, retried with the same bytes after a failure, and its content deleted when
//! finished.

use std::time::Duration as StdDuration;

use kit::test::{Mail, MailServer, Reply, TelemetryCapture};
use proto::auth::{AccountErased, LoginRequest, PasswordChanged, PasswordResetRefused, SignUpStarted};
use time::Duration;
use tokio::time::timeout;

use crate::world::{ACCOUNT, NOW, World, event, timestamp};

const TO: &str = "hanako@demo.example";

fn changed(to: &str) -> PasswordChanged {
    PasswordChanged {
        to: to.to_owned(),
        account_id: ACCOUNT.to_owned(),
        name: "山田 花子".to_owned(),
        ..PasswordChanged::default()
    }
}

async fn next(server: &mut MailServer) -> Mail {
    timeout(StdDuration::from_secs(15), server.mails.recv()).await.expect("a mail arrives").unwrap()
}

#[tokio::test]
async fn an_event_becomes_one_mail_however_often_it_is_delivered() {
    let world = World::new().await;
    let mut server = MailServer::start().await;
    let desk = world.serve(&server.url()).await;
    let event = desk.tell(&changed(TO)).await;
    for again in [&event, &event] {
        desk.deliver(again).await.unwrap();
    }
    let mail = next(&mut server).await;
    assert_eq!(mail.to, TO);
    world.comes_to("SELECT state || reply FROM mail", &["sent250"]).await;
    assert!(server.mails.try_recv().is_err(), "there is no second one");
    let message_id = format!("Message-ID: <{}@konomana.test>", event.id);
    for header in [&message_id, "Date: Sat, 21 Nov 2026 09:00:00 +0000", "Auto-Submitted: auto-generated"] {
        assert!(mail.message.contains(header), "{header}: {}", mail.message);
    }
}

#[tokio::test]
async fn events_without_an_action_are_taken_and_unknown_or_invalid_ones_are_not() {
    let world = World::new().await;
    let desk = world.serve("smtp://127.0.0.1:1").await;
    desk.tell(&PasswordResetRefused {}).await;
    let unknown = desk.deliver(&event(&LoginRequest::default())).await.unwrap_err();
    assert_eq!(unknown.code(), tonic::Code::Unimplemented);
    assert!(world.text("SELECT kind FROM mail").await.is_empty());
    let mut broken = event(&changed(TO));
    broken.payload = vec![0xff; 9];
    assert_eq!(desk.deliver(&broken).await.unwrap_err().code(), tonic::Code::InvalidArgument);
}

#[tokio::test]
async fn a_waiting_mail_is_encrypted_and_its_content_is_deleted_when_it_is_sent() {
    let world = World::new().await;
    let mut server = MailServer::start().await;
    server.answer([Reply::Line("451 later\r\n")]);
    let desk = world.serve(&server.url()).await;
    desk.tell(&SignUpStarted {
        to: TO.to_owned(),
        code: "493817".to_owned(),
        token: "a-token-of-256-bits".to_owned(),
        expires_at: Some(timestamp(NOW + Duration::DAY)),
    })
    .await;
    let first = next(&mut server).await;
    world.comes_to("SELECT state || reply FROM mail", &["waiting451"]).await;
    let row = world.text("SELECT mail::text || encode(sealed, 'escape') FROM mail").await;
    for secret in [TO, "hanako", "493817", "a-token"] {
        assert!(!row[0].contains(secret), "{row:?}");
    }
    world.clock.advance(Duration::SECOND);
    assert_eq!(next(&mut server).await, first, "the second attempt sends the same bytes");
    world.comes_to("SELECT state || (sealed IS NULL) FROM mail", &["senttrue"]).await;
}

#[tokio::test]
async fn a_mail_waits_for_an_unreachable_server_and_is_resent_unchanged_after_a_lost_answer() {
    let world = World::new().await;
    let gone = MailServer::start().await;
    let address = gone.address;
    drop(gone);
    let desk = world.serve(&format!("smtp://{address}")).await;
    desk.tell(&changed(TO)).await;
    let tried = "SELECT tries::text FROM mail WHERE next_try_at = created + interval '1 second'";
    world.comes_to(tried, &["1"]).await;
    let mut server = MailServer::start_at(address).await;
    server.answer([Reply::Cut]);
    world.clock.advance(Duration::SECOND);
    let lost = next(&mut server).await;
    let tried = "SELECT tries::text FROM mail WHERE next_try_at = created + interval '3 seconds'";
    world.comes_to(tried, &["2"]).await;
    world.clock.advance(Duration::seconds(2));
    assert_eq!(next(&mut server).await, lost);
    world.comes_to("SELECT state FROM mail", &["sent"]).await;
}

#[tokio::test]
async fn an_unreachable_mail_server_and_its_return_are_each_logged_once() {
    let world = World::new().await;
    let gone = MailServer::start().await;
    let address = gone.address;
    drop(gone);
    let told = TelemetryCapture::start("info");
    let desk = world.serve(&format!("smtp://{address}")).await;
    for to in ["one@demo.example", "two@demo.example"] {
        desk.tell(&changed(to)).await;
    }
    let tried = "SELECT tries::text FROM mail WHERE next_try_at = created + interval '1 second'";
    world.comes_to(tried, &["1", "1"]).await;
    world.clock.advance(Duration::MINUTE);
    let tried = "SELECT tries::text FROM mail WHERE next_try_at = created + interval '62 seconds'";
    world.comes_to(tried, &["2", "2"]).await;
    let count = |text: &str| format!("{:?}", told.lines()).matches(text).count();
    assert_eq!((count("deliveries wait"), count("deliveries go on")), (1, 0));
    let _server = MailServer::start_at(address).await;
    world.clock.advance(Duration::MINUTE);
    world.comes_to("SELECT state FROM mail", &["sent", "sent"]).await;
    let is_logged = async {
        while count("deliveries go on") == 0 {
            tokio::time::sleep(StdDuration::from_millis(10)).await;
        }
    };
    timeout(StdDuration::from_secs(15), is_logged).await.expect("the return is logged");
    assert_eq!((count("deliveries wait"), count("deliveries go on")), (1, 1));
}

#[tokio::test]
async fn a_silent_mail_server_delays_other_mails_only_briefly() {
    let world = World::new().await;
    let mut server = MailServer::start().await;
    server.answer([Reply::Silence]);
    let mut config = world.config(&server.url());
    config.smtp.smtp_limit = StdDuration::from_secs(2);
    let desk = world.serve_as(config).await;
    desk.tell(&changed("one@demo.example")).await;
    assert_eq!(next(&mut server).await.to, "one@demo.example");
    desk.tell(&changed("two@demo.example")).await;
    assert_eq!(next(&mut server).await.to, "two@demo.example");
    let later = "SELECT state FROM mail WHERE next_try_at = created + interval '1 second' AND tries = 1 \
                 AND state = 'waiting'";
    world.comes_to(later, &["waiting"]).await;
}

#[tokio::test]
async fn a_permanently_refused_mail_is_recorded_as_a_bounce_with_its_code() {
    let world = World::new().await;
    let mut server = MailServer::start().await;
    server.answer([Reply::Line("550 no such mailbox hanako@demo.example\r\n")]);
    let told = TelemetryCapture::start("info");
    let desk = world.serve(&server.url()).await;
    desk.tell(&changed(TO)).await;
    next(&mut server).await;
    world.comes_to("SELECT state || reply || (sealed IS NULL) FROM mail", &["bounced550true"]).await;
    let said = format!("{:?}{:?}", told.lines(), told.spans());
    assert!(said.contains("refused permanently") && !said.contains("hanako"), "{said}");
}

#[tokio::test]
async fn an_undeliverable_mail_expires_after_a_day() {
    let world = World::new().await;
    let mut server = MailServer::start().await;
    server.answer([Reply::Line("451 later\r\n"), Reply::Line("451 later\r\n"), Reply::Line("451 later\r\n")]);
    let desk = world.serve(&server.url()).await;
    desk.tell(&changed(TO)).await;
    next(&mut server).await;
    world.comes_to("SELECT state || tries FROM mail WHERE reply = 451", &["waiting1"]).await;
    world.clock.advance(Duration::hours(23));
    next(&mut server).await;
    world
        .comes_to(
            "SELECT state || tries FROM mail WHERE next_try_at = created + interval '23 hours 2 seconds'",
            &["waiting2"],
        )
        .await;
    world.clock.advance(Duration::hours(1));
    next(&mut server).await;
    world.comes_to("SELECT state || (sealed IS NULL) FROM mail", &["expiredtrue"]).await;
}

#[tokio::test]
async fn an_old_phone_address_is_quoted_and_an_invalid_one_bounces_at_once() {
    let world = World::new().await;
    let mut server = MailServer::start().await;
    let desk = world.serve(&server.url()).await;
    desk.tell(&changed("a..b@docomo.ne.jp")).await;
    let mail = next(&mut server).await;
    assert_eq!(mail.to, "\"a..b\"@docomo.ne.jp");
    assert!(mail.message.contains("To: \"a..b\"@docomo.ne.jp"), "{}", mail.message);
    desk.tell(&changed("nobody")).await;
    world.comes_to("SELECT state FROM mail WHERE reply = 553", &["bounced"]).await;
}

#[tokio::test]
async fn an_erased_account_has_no_mails_and_others_keep_theirs() {
    let world = World::new().await;
    let desk = world.serve("smtp://127.0.0.1:1").await;
    desk.tell(&changed(TO)).await;
    let other = "01936f2a-4c00-7a31-8b52-1f6d0c9e4b00";
    desk.tell(&PasswordChanged { account_id: other.to_owned(), ..changed(TO) }).await;
    assert_eq!(desk.export(ACCOUNT).await.len(), 1);
    desk.tell(&AccountErased { account_id: ACCOUNT.to_owned() }).await;
    assert!(desk.export(ACCOUNT).await.is_empty());
    let kept = desk.export(other).await;
    assert_eq!((kept[0].kind.as_str(), kept[0].state.as_str()), ("password_changed", "waiting"));
    assert_eq!(kept[0].created, Some(timestamp(NOW)));
}

#[tokio::test]
async fn the_record_of_a_sent_mail_is_kept_for_a_month() {
    let world = World::new().await;
    let server = MailServer::start().await;
    let desk = world.serve(&server.url()).await;
    desk.tell(&changed(TO)).await;
    world.comes_to("SELECT state FROM mail", &["sent"]).await;
    let mut connection = world.database.pool.acquire().await.unwrap();
    assert_eq!(
        desk::sweep::sweep_once(&mut connection, NOW + Duration::days(30), Duration::days(90)).await.unwrap(),
        0
    );
    assert_eq!(
        desk::sweep::sweep_once(&mut connection, NOW + Duration::days(31), Duration::days(90)).await.unwrap(),
        2,
        "and its event"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn two_desks_send_each_mail_once() {
    let world = World::new().await;
    let mut server = MailServer::start().await;
    let (one, other) = (world.serve(&server.url()).await, world.serve(&server.url()).await);
    for number in 0..20 {
        let desk = if number % 2 == 0 { &one } else { &other };
        desk.tell(&changed(&format!("{number}@demo.example"))).await;
    }
    world.comes_to("SELECT count(*)::text FROM mail WHERE state = 'sent'", &["20"]).await;
    let mut to: Vec<_> = std::iter::from_fn(|| server.mails.try_recv().ok()).map(|mail| mail.to).collect();
    assert_eq!(to.len(), 20);
    to.sort();
    to.dedup();
    assert_eq!(to.len(), 20);
}
