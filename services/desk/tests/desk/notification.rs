//! Notifications: topics, quiet hours, the end of mails without a session, and bounces.

use std::time::Duration as StdDuration;

use kit::caller::Scope;
use kit::test::{MailServer, Reply, account as caller_with};
use proto::auth::{
    AccountCreated, AccountErased, BirthDateChanged, ExamResultAnnounced, PasswordChanged, WeeklyReportDue,
};
use proto::desk as wire;
use proto::desk::notification_service_client::NotificationServiceClient;
use proto::desk::teacher_question_service_client::TeacherQuestionServiceClient;
use time::Duration;
use tokio::time::timeout;
use tonic::{Code, Status};

use crate::teacher_question::asker;
use crate::world::{ACCOUNT, Desk, NOW, World, event_at, timestamp};

const OTHER: &str = "01936f2a-4c00-7a31-8b52-1f6d0c9e4b00";

fn announced(account: &str) -> ExamResultAnnounced {
    ExamResultAnnounced {
        to: "hanako@demo.example".to_owned(),
        account_id: account.to_owned(),
        name: "山田 花子".to_owned(),
        exam_id: 3,
        exam_name: "第1回 コノ模試".to_owned(),
        ..ExamResultAnnounced::default()
    }
}

pub(crate) fn mail_off(topics: &[&str]) -> wire::NotificationSettings {
    let mail_off = topics.iter().map(|topic| (*topic).to_owned()).collect();
    wire::NotificationSettings { mail_off, ..wire::NotificationSettings::default() }
}

pub(crate) fn quiet(from: u32, until: u32) -> wire::NotificationSettings {
    let quiet_hours = Some(wire::QuietHours { from, until });
    wire::NotificationSettings { quiet_hours, ..wire::NotificationSettings::default() }
}

/// The topics of this release.
const TOPICS: [&str; 6] = ["answer", "interview", "event", "exam_result", "weekly_report", "notice"];

async fn get(desk: &Desk, account: &str) -> wire::GetNotificationSettingsResponse {
    let channel = desk.server.channel_as(caller_with(account.parse().unwrap(), &[]));
    let request = wire::GetNotificationSettingsRequest { birth_date: None };
    NotificationServiceClient::new(channel).get_notification_settings(request).await.unwrap().into_inner()
}

pub(crate) async fn set(desk: &Desk, settings: wire::NotificationSettings) -> Result<(), Status> {
    set_for(desk, ACCOUNT, settings).await
}

async fn set_for(desk: &Desk, account: &str, settings: wire::NotificationSettings) -> Result<(), Status> {
    let channel = desk.server.channel_as(caller_with(account.parse().unwrap(), &[]));
    let request = wire::SetNotificationSettingsRequest {
        settings: Some(settings),
        birth_date: None,
        topics: TOPICS.map(str::to_owned).to_vec(),
    };
    NotificationServiceClient::new(channel).set_notification_settings(request).await.map(drop)
}

async fn unsubscribe(desk: &Desk, token: &str) -> Result<String, Status> {
    let request = wire::UnsubscribeRequest { token: token.to_owned() };
    let answer = NotificationServiceClient::new(desk.channel()).unsubscribe(request).await?;
    Ok(answer.into_inner().topic)
}

fn weekly_report(week: &str) -> WeeklyReportDue {
    WeeklyReportDue {
        to: "hanako@demo.example".to_owned(),
        account_id: ACCOUNT.to_owned(),
        week: week.to_owned(),
        ..WeeklyReportDue::default()
    }
}

fn created(account: &str, birth_date: &str) -> AccountCreated {
    AccountCreated {
        to: "hanako@demo.example".to_owned(),
        account_id: account.to_owned(),
        name: "山田 花子".to_owned(),
        birth_date: birth_date.to_owned(),
    }
}

/// The quiet hours, and whether the age decides about them.
async fn quiet_hours(desk: &Desk, account: &str) -> (Option<(u32, u32)>, bool) {
    let found = get(desk, account).await;
    let quiet = found.settings.unwrap().quiet_hours.map(|quiet| (quiet.from, quiet.until));
    (quiet, found.is_quiet_by_age)
}

const NIGHT: Option<(u32, u32)> = Some((21, 7));

/// Mails by kind and state.
const MAILS: &str = "SELECT kind || ' ' || state FROM mail ORDER BY created, id";

#[tokio::test]
async fn settings_are_stored_as_sent_and_checked() {
    let world = World::new().await;
    let desk = world.serve("smtp://127.0.0.1:1").await;
    assert_eq!(get(&desk, ACCOUNT).await.settings, Some(mail_off(&["notice"])));
    let settings = wire::NotificationSettings {
        push_off: vec!["answer".to_owned(), "interview".to_owned()],
        quiet_hours: Some(wire::QuietHours { from: 21, until: 7 }),
        ..mail_off(&["event"])
    };
    set(&desk, settings.clone()).await.unwrap();
    assert_eq!(get(&desk, ACCOUNT).await.settings, Some(settings.clone()));
    assert_eq!(get(&desk, OTHER).await.settings, Some(mail_off(&["notice"])));
    for wrong in
        [mail_off(&["payment"]), mail_off(&["event", "event"]), quiet(7, 7), quiet(24, 7), quiet(7, 20)]
    {
        assert_eq!(set(&desk, wrong).await.unwrap_err().code(), Code::InvalidArgument);
    }
    assert_eq!(get(&desk, ACCOUNT).await.settings, Some(settings));
}

#[tokio::test]
async fn a_notification_waits_for_the_end_of_the_quiet_hours_and_other_mails_do_not() {
    let world = World::new().await;
    let mut server = MailServer::start().await;
    let desk = world.serve(&server.url()).await;
    // It is 18:00 in Japan.
    set(&desk, quiet(18, 6)).await.unwrap();
    let event = desk.tell(&announced(ACCOUNT)).await;
    desk.deliver(&event).await.unwrap();
    let changed = PasswordChanged {
        to: "hanako@demo.example".to_owned(),
        account_id: ACCOUNT.to_owned(),
        ..PasswordChanged::default()
    };
    desk.tell(&changed).await;
    let both = ["exam_result_announced waiting", "password_changed sent"];
    world.comes_to(MAILS, &both).await;
    world.clock.advance(Duration::hours(11));
    tokio::time::timeout(StdDuration::from_secs(15), server.mails.recv()).await.unwrap();
    assert_eq!(
        world
            .text("SELECT ((next_try_at AT TIME ZONE 'Asia/Tokyo')::text) FROM mail WHERE topic IS NOT NULL")
            .await,
        ["2026-11-22 06:00:00"]
    );
    world.clock.advance(Duration::hours(1));
    world.comes_to(MAILS, &["exam_result_announced sent", "password_changed sent"]).await;
    assert!(server.mails.recv().await.unwrap().message.contains("List-Unsubscribe"), "told once");
    assert!(server.mails.try_recv().is_err());
}

#[tokio::test]
async fn the_end_of_quiet_hours_sends_what_waits_and_a_switched_off_topic_withdraws_it() {
    let world = World::new().await;
    let server = MailServer::start().await;
    let desk = world.serve(&server.url()).await;
    set(&desk, quiet(18, 6)).await.unwrap();
    desk.tell(&announced(ACCOUNT)).await;
    set(&desk, mail_off(&["event"])).await.unwrap();
    world.comes_to(MAILS, &["exam_result_announced sent"]).await;
    set(&desk, quiet(18, 6)).await.unwrap();
    desk.tell(&announced(ACCOUNT)).await;
    desk.tell(&announced(OTHER)).await;
    set(&desk, mail_off(&["exam_result"])).await.unwrap();
    desk.tell(&announced(ACCOUNT)).await;
    world.comes_to(MAILS, &["exam_result_announced sent", "exam_result_announced sent"]).await;
    let of_account = "SELECT count(*)::text FROM mail WHERE account = '01936f2a-4c00-7a31-8b52-1f6d0c9e4aff'";
    assert_eq!(world.text(of_account).await, ["1"]);
}

#[tokio::test]
async fn a_mail_names_the_address_that_ends_such_mails_with_one_request() {
    let world = World::new().await;
    let mut server = MailServer::start().await;
    let desk = world.serve(&server.url()).await;
    desk.tell(&announced(ACCOUNT)).await;
    let mail = timeout(StdDuration::from_secs(15), server.mails.recv()).await.unwrap().unwrap();
    let message = mail.message.replace("\r\n", "\n");
    let (head, body) = message.split_once("\n\n").unwrap();
    let head = head.replace("\n ", " ");
    assert!(head.contains("List-Unsubscribe-Post: List-Unsubscribe=One-Click"), "{head}");
    let address = head.lines().find_map(|line| line.strip_prefix("List-Unsubscribe: <")).unwrap();
    let token = address.strip_prefix("https://www.konomana.test/api/desk/notification/unsubscribe/").unwrap();
    let token = token.strip_suffix("/>").unwrap();
    assert!(!body.is_empty());
    assert_eq!(unsubscribe(&desk, &token[1..]).await.unwrap_err().code(), Code::InvalidArgument);
    for _ in 0..2 {
        assert_eq!(unsubscribe(&desk, token).await.unwrap(), "exam_result");
    }
    assert_eq!(get(&desk, ACCOUNT).await.settings, Some(mail_off(&["exam_result", "notice"])));
    assert_eq!(get(&desk, OTHER).await.settings, Some(mail_off(&["notice"])));
    desk.tell(&announced(ACCOUNT)).await;
    world.comes_to(MAILS, &["exam_result_announced sent"]).await;
    // A mail that answers an action has no such address.
    desk.tell(&PasswordChanged { to: "hanako@demo.example".to_owned(), ..PasswordChanged::default() }).await;
    let mail = timeout(StdDuration::from_secs(15), server.mails.recv()).await.unwrap().unwrap();
    assert!(!mail.message.contains("List-Unsubscribe"), "{}", mail.message);
}

#[tokio::test]
async fn the_settings_show_a_refused_address_until_a_mail_is_accepted() {
    let world = World::new().await;
    let server = MailServer::start().await;
    server.answer([Reply::Line("550 no such mailbox\r\n")]);
    let desk = world.serve(&server.url()).await;
    desk.tell(&announced(ACCOUNT)).await;
    world.comes_to(MAILS, &["exam_result_announced bounced"]).await;
    assert_eq!(get(&desk, ACCOUNT).await.mail_bounced_at, Some(timestamp(NOW)));
    assert_eq!(get(&desk, OTHER).await.mail_bounced_at, None);
    world.clock.advance(Duration::MINUTE);
    desk.tell(&announced(ACCOUNT)).await;
    world.comes_to(MAILS, &["exam_result_announced bounced", "exam_result_announced sent"]).await;
    assert_eq!(get(&desk, ACCOUNT).await.mail_bounced_at, None);
}

#[tokio::test]
async fn an_erased_account_has_no_settings_and_is_told_nothing() {
    let world = World::new().await;
    let desk = world.serve("smtp://127.0.0.1:1").await;
    set(&desk, quiet(18, 6)).await.unwrap();
    desk.tell(&announced(ACCOUNT)).await;
    desk.tell(&AccountErased { account_id: ACCOUNT.to_owned() }).await;
    desk.tell(&announced(ACCOUNT)).await;
    let left = "SELECT (SELECT count(*) FROM notification) + (SELECT count(*) FROM notification_setting) \
                + (SELECT count(*) FROM mail) || ''";
    assert_eq!(world.text(left).await, ["0"]);
    assert_eq!(set(&desk, quiet(18, 6)).await.unwrap_err().code(), Code::NotFound);
}

#[tokio::test]
async fn a_weekly_report_is_sent_once_a_week_and_not_after_its_topic_was_switched_off() {
    let world = World::new().await;
    let server = MailServer::start().await;
    let desk = world.serve(&server.url()).await;
    // Two events about one week: a second one of another replica.
    desk.tell(&weekly_report("2026-11-09")).await;
    desk.tell(&weekly_report("2026-11-09")).await;
    world.comes_to(MAILS, &["weekly_report sent"]).await;
    desk.tell(&weekly_report("2026-11-16")).await;
    world.comes_to(MAILS, &["weekly_report sent", "weekly_report sent"]).await;
    set(&desk, mail_off(&["weekly_report"])).await.unwrap();
    desk.tell(&weekly_report("2026-11-23")).await;
    assert_eq!(world.text("SELECT count(*)::text FROM mail").await, ["2"]);
}

#[tokio::test]
async fn minors_get_nothing_from_21_to_7_unless_they_choose_otherwise() {
    let world = World::new().await;
    let server = MailServer::start().await;
    let desk = world.serve(&server.url()).await;
    desk.tell(&created(ACCOUNT, "2011-04-02")).await;
    desk.tell(&created(OTHER, "2001-04-02")).await;
    assert_eq!(quiet_hours(&desk, ACCOUNT).await, (NIGHT, true));
    assert_eq!(quiet_hours(&desk, OTHER).await, (None, true));
    assert_eq!(get(&desk, ACCOUNT).await.adult_on.as_deref(), Some("2029-04-02"));

    // 22:00 in Japan.
    world.clock.advance(Duration::hours(4));
    desk.tell(&announced(ACCOUNT)).await;
    desk.tell(&announced(OTHER)).await;
    let results = "SELECT account::text || ' ' || state FROM mail WHERE topic IS NOT NULL ORDER BY state";
    let (sent, waiting) = (format!("{OTHER} sent"), format!("{ACCOUNT} waiting"));
    world.comes_to(results, &[&sent, &waiting]).await;
    let due = "SELECT (next_try_at AT TIME ZONE 'Asia/Tokyo')::text FROM mail WHERE state = 'waiting'";
    assert_eq!(world.text(due).await, ["2026-11-22 07:00:00"]);

    // The screen sends all settings with each change: those of the age are not a choice.
    set(&desk, wire::NotificationSettings { quiet_hours: quiet(21, 7).quiet_hours, ..mail_off(&["event"]) })
        .await
        .unwrap();
    assert_eq!(quiet_hours(&desk, ACCOUNT).await, (NIGHT, true));
    assert_eq!(world.text(due).await, ["2026-11-22 07:00:00"]);
    set(&desk, mail_off(&["event"])).await.unwrap();
    assert_eq!(quiet_hours(&desk, ACCOUNT).await, (None, false));
    world.comes_to("SELECT state FROM mail WHERE topic IS NOT NULL", &["sent", "sent"]).await;
}

#[tokio::test]
async fn a_client_of_the_previous_release_changes_nothing_that_it_does_not_know() {
    let world = World::new().await;
    let desk = world.serve("smtp://127.0.0.1:1").await;
    desk.tell(&created(ACCOUNT, "2011-04-02")).await;
    let channel = desk.server.channel_as(caller_with(ACCOUNT.parse().unwrap(), &[]));
    let request = wire::SetNotificationSettingsRequest {
        settings: Some(mail_off(&["event"])),
        ..wire::SetNotificationSettingsRequest::default()
    };
    NotificationServiceClient::new(channel).set_notification_settings(request).await.unwrap();
    assert_eq!(get(&desk, ACCOUNT).await.settings.unwrap().mail_off, ["event", "notice"]);
    assert_eq!(quiet_hours(&desk, ACCOUNT).await, (NIGHT, true));
}

#[tokio::test]
async fn adults_keep_what_they_chose_as_minors() {
    const CHOSE_NOTHING: &str = "01936f2a-4c00-7a31-8b52-1f6d0c9e4b01";
    let world = World::new().await;
    let desk = world.serve("smtp://127.0.0.1:1").await;
    for account in [ACCOUNT, OTHER, CHOSE_NOTHING] {
        desk.tell(&created(account, "2008-11-22")).await;
    }
    set_for(&desk, OTHER, quiet(22, 6)).await.unwrap();
    set_for(&desk, ACCOUNT, mail_off(&[])).await.unwrap();
    set_for(&desk, ACCOUNT, quiet(21, 7)).await.unwrap();
    world.clock.advance(Duration::hours(6) - Duration::SECOND);
    assert_eq!(quiet_hours(&desk, CHOSE_NOTHING).await, (NIGHT, true));
    // Midnight in Japan: the 18th birthday.
    world.clock.advance(Duration::SECOND);
    assert_eq!(quiet_hours(&desk, CHOSE_NOTHING).await, (None, true));
    assert_eq!(quiet_hours(&desk, OTHER).await, (Some((22, 6)), false));
    assert_eq!(quiet_hours(&desk, ACCOUNT).await, (NIGHT, false));
}

#[tokio::test]
async fn the_newest_birth_date_counts_and_ends_with_the_account() {
    let world = World::new().await;
    let desk = world.serve("smtp://127.0.0.1:1").await;
    let changed =
        |birth: &str| BirthDateChanged { account_id: ACCOUNT.to_owned(), birth_date: birth.to_owned() };
    desk.deliver(&event_at(NOW + Duration::SECOND, &changed("2001-04-02"))).await.unwrap();
    // An older event arrives late.
    desk.tell(&created(ACCOUNT, "2011-04-02")).await;
    assert_eq!(get(&desk, ACCOUNT).await.adult_on.as_deref(), Some("2019-04-02"));
    world.clock.advance(Duration::MINUTE);
    // An account from before this event existed is known from what its owner does.
    let channel = desk.server.channel_as(caller_with(ACCOUNT.parse().unwrap(), &[Scope::Learner]));
    let request = wire::AskRequest {
        idempotency_key: "birth-date".to_owned(),
        text: "二次方程式の解き方がわかりません。".to_owned(),
        asker: Some(wire::QuestionAsker { birth_date: Some("2012-02-29".to_owned()), ..asker() }),
        ..wire::AskRequest::default()
    };
    TeacherQuestionServiceClient::new(channel).ask(request).await.unwrap();
    assert_eq!(get(&desk, ACCOUNT).await.adult_on.as_deref(), Some("2030-03-01"));
    assert_eq!(quiet_hours(&desk, ACCOUNT).await, (NIGHT, true));

    desk.tell(&AccountErased { account_id: ACCOUNT.to_owned() }).await;
    desk.tell(&changed("2011-04-02")).await;
    assert!(world.text("SELECT account::text FROM account_age").await.is_empty());
}
