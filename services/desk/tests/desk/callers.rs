//! Who may call desk, and whose mails an export has.

use kit::caller::Service;
use kit::test::{account, every_rpc_admits_only_its_callers};
use proto::auth::PasswordChanged;
use proto::desk::ExportRequest;
use proto::desk::mail_service_client::MailServiceClient;
use uuid::Uuid;

use crate::world::{ACCOUNT, World};

#[tokio::test]
async fn every_rpc_is_refused_to_all_but_its_callers() {
    let world = World::new().await;
    let desk = world.serve("smtp://127.0.0.1:1").await;
    let packages = ["desk.v1", "common.v1"];
    every_rpc_admits_only_its_callers(&desk.server, Service::Desk, desk::CALLERS, &packages).await;
}

#[tokio::test]
#[expect(deprecated, reason = "callers of the release before fill the field, and it must change nothing")]
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
