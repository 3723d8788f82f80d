//! The settings of notifications, and the end of mails, as browsers and mail clients see them.

use insta::assert_json_snapshot;
use serde_json::json;

use crate::support::{ONE, PASSWORD, World};

const SETTINGS: &str = "/api/desk/notification/setting/";

#[tokio::test]
async fn settings_are_kept_for_every_device_and_exported() {
    let world = World::new().await;
    let (edge, other) = (world.edge().await, world.edge().await);
    let ((phone, _), (laptop, _)) = (edge.login(ONE).await, other.login(ONE).await);
    assert_json_snapshot!("notification_settings", edge.get(SETTINGS, Some(&phone)).await.promise());
    let quiet = json!({"from": 21, "until": 7});
    let topics = ["answer", "interview", "event", "exam_result", "weekly_report", "notice"];
    let (mail_off, push_off) = (["event", "exam_result"], ["answer"]);
    let settings =
        json!({"topics": topics, "mail_off": mail_off, "push_off": push_off, "quiet_hours": quiet});
    assert_json_snapshot!(
        "notification_settings_stored",
        edge.with("PUT", SETTINGS, &phone, &settings).await.promise()
    );
    assert_json_snapshot!(
        "notification_settings_changed",
        other.get(SETTINGS, Some(&laptop)).await.promise()
    );
    let password = json!({"password": PASSWORD}).to_string();
    let headers = [("authorization", phone.as_str()), ("content-type", "application/json")];
    let export = edge.send("POST", "/api/accounts/export/", &headers, &password).await.json();
    assert_eq!(export["notification_settings"]["quiet_hours"], quiet);
    for wrong in [
        json!({"mail_off": ["payment"], "push_off": [], "quiet_hours": null}),
        json!({"mail_off": [], "push_off": [], "quiet_hours": {"from": 7, "until": 20}}),
        json!({"mail_off": []}),
    ] {
        assert_eq!(edge.with("PUT", SETTINGS, &phone, &wrong).await.outcome(), "400 INVALID", "{wrong}");
    }
}

#[tokio::test]
async fn a_mail_client_ends_mails_with_one_request_and_a_browser_is_led_to_the_page() {
    let world = World::new().await;
    let edge = world.edge().await;
    let path = format!("/api/desk/notification/unsubscribe/{}/", "A".repeat(58));
    let form = [("content-type", "application/x-www-form-urlencoded")];
    // The token is wrong; desk tests the right one.
    let sent = edge.send("POST", &path, &form, "List-Unsubscribe=One-Click").await;
    assert_eq!(sent.outcome(), "400 LINK_DEAD");
    let multipart = [("content-type", "multipart/form-data; boundary=b")];
    let body =
        "--b\r\nContent-Disposition: form-data; name=\"List-Unsubscribe\"\r\n\r\nOne-Click\r\n--b--\r\n";
    assert_eq!(edge.send("POST", &path, &multipart, body).await.outcome(), "400 LINK_DEAD");
    let json = [("content-type", "application/json")];
    assert_eq!(edge.send("POST", &path, &json, "{}").await.outcome(), "400 LINK_DEAD");
    // A scanner that sends another form ends nothing.
    assert_eq!(edge.send("POST", &path, &form, "a=b").await.outcome(), "400 INVALID");
    assert_eq!(edge.send("POST", &path, &[("content-type", "text/plain")], "").await.status, 415);
    let opened = edge.get(&path, None).await;
    assert_eq!(opened.status, 303);
    let location = opened.headers.get("location").unwrap().to_str().unwrap();
    assert_eq!(location, format!("/confirm/unsubscribe#token={}", "A".repeat(58)));
}
