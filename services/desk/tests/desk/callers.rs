//! The callers of each rpc, and the account of an export.

use kit::caller::Service;
use kit::test::{account, every_rpc_admits_only_its_callers};
use proto::auth::PasswordChanged;
use proto::desk::ExportRequest;
use proto::desk::mail_service_client::MailServiceClient;
use uuid::Uuid;

use crate::world::{ACCOUNT, World};

#[tokio::test]
async fn rpcs_admit_only_their_callers() {
    let world = World::new().await;
    let desk = world.serve("smtp://127.0.0.1:1").await;
    let packages = ["desk.v1", "common.v1"];
    every_rpc_admits_only_its_callers(&desk.server, Service::Desk, desk::CALLERS, &packages).await;
}

#[tokio::test]
#[expect(deprecated, reason = "callers of the previous release fill the field, which must have no effect")]
async fn an_export_has_the_mails_of_the_caller_whatever_account_the_message_names() {
    let world = World::new().await;
    let desk = world.serve("smtp://127.0.0.1:1").await;
    let mail = PasswordChanged {
        account_id: ACCOUNT.to_owned(),
        to: "a@b.example".to_owned(),
        name: "あ".to_owned(),
        ..Default::default()
    };
    desk.tell(&mail).await;
    let request = ExportRequest { account_id: ACCOUNT.to_owned() };
    let other = desk.server.channel_as(account(Uuid::from_u128(7), &[]));
    let mails = MailServiceClient::new(other).export(request).await.unwrap().into_inner().mails;
    assert_eq!(mails, []);
    assert_eq!(desk.export(ACCOUNT).await.len(), 1);
}

#[tokio::test]
async fn an_export_of_many_mails_is_one_message_of_the_newest() {
    let world = World::new().await;
    let desk = world.serve("smtp://127.0.0.1:1").await;
    world
        .text(
            "INSERT INTO mail (id, kind, account, created, state, tries, next_try_at, done_at) \
             SELECT gen_random_uuid(), 'guardian_consent_withdrawn', '01936f2a-4c00-7a31-8b52-1f6d0c9e4aff', moment, \
             'expired', 1, moment, moment + interval '1 second' FROM generate_series(1, 100000) AS number, \
             LATERAL (SELECT timestamptz '2026-11-20 09:00:00.123456Z' + number * interval '1 second' AS moment) AS at",
        )
        .await;
    let mails = desk.export(ACCOUNT).await;
    assert_eq!(mails.len(), 20_000);
    assert_eq!(mails[0].created.unwrap().seconds - mails[19_999].created.unwrap().seconds, 19_999);
}
