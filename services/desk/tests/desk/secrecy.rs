//! Logs and spans contain no content of an inquiry.

use kit::test::TelemetryCapture;
use proto::desk::SendRequest;
use proto::desk::contact_service_client::ContactServiceClient;

use crate::world::World;

#[tokio::test]
async fn logs_and_spans_of_an_inquiry_have_only_its_trace_id() {
    let world = World::new().await;
    let told = TelemetryCapture::start("trace,h2=off,hyper=off,tower=off,sqlx=off");
    let desk = world.serve("smtp://127.0.0.1:1").await;
    let inquiry = SendRequest {
        idempotency_key: "a-key-of-a-browser".to_owned(),
        kind: "payment".to_owned(),
        name: "山田 花子".to_owned(),
        email: "hanako@demo.example".to_owned(),
        text: "領収書の宛名を変えられますか。".to_owned(),
        picture: None,
        website: String::new(),
        client_address: "203.0.113.9".to_owned(),
    };
    ContactServiceClient::new(desk.channel()).send(inquiry).await.unwrap();
    world.comes_to("SELECT count(*)::text FROM mail WHERE tries > 0", &["2"]).await;
    let said = format!("{:?}{:?}", told.lines(), told.spans());
    let trace = world.text("SELECT trace_id FROM contact").await;
    assert!(
        said.contains("INSERT contact") && said.contains(&trace[0]),
        "the logs have the trace id: {said}"
    );
    for secret in ["hanako", "山田", "領収書", "203.0.113.9", "a-key-of-a-browser"] {
        assert!(!said.contains(secret), "{secret}: {said}");
    }
}
