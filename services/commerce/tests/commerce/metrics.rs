//! The metrics of a running commerce, and the output of its import.

use std::process::Command;

use kit::caller::Service;
use kit::test::{self, Process};
use kit_db::test::TestDatabase;
use proto::commerce::ListOffersRequest;
use proto::commerce::product_service_client::ProductServiceClient;

use crate::shop::{NOBODY, SECRET, serve_command};

#[tokio::test]
async fn commerce_shows_its_calls_and_its_connections() {
    let database = TestDatabase::new(&commerce::MIGRATIONS).await;
    let mut commerce = Process::start(&mut serve_command(&database.url, NOBODY, NOBODY));
    let address = commerce.address("serving");
    let metrics = commerce.address("showing metrics");
    let channel = test::channel_as(&format!("http://{address}"), Service::Commerce, test::anyone());
    ProductServiceClient::new(channel).list_offers(ListOffersRequest {}).await.unwrap();

    let shown = test::metrics(metrics, commerce::METRICS);
    let labels = r#"rpc_method="commerce.v1.ProductService/ListOffers",rpc_response_status_code="OK""#;
    assert!(shown.contains(&format!("rpc_server_call_duration_seconds_count{{{labels}}} 1")), "{shown}");
    for state in ["idle", "used"] {
        let connections = format!("db_client_connection_count{{db_client_connection_state=\"{state}\"}} ");
        assert!(shown.contains(&connections), "{shown}");
    }
}

#[tokio::test]
async fn the_command_prints_the_difference_and_a_dry_run_leaves_it_to_the_next() {
    let database = TestDatabase::new(&commerce::MIGRATIONS).await;
    let import = |more: &[&str]| {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/demo");
        let output = Command::new(env!("CARGO_BIN_EXE_commerce"))
            .env_clear()
            .args(["import", folder, "--database-url", &database.url, "--secret", SECRET])
            .args(more)
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let difference = import(&["--dry-run"]);
    assert!(difference.contains("+ product 3001 月額 質問し放題\n+ coupon 1 WELCOME1000\n"), "{difference}");
    assert!(difference.ends_with("\n= 0 as they were\n"), "{difference}");
    assert_eq!(import(&[]), difference);
    assert_eq!(import(&[]), format!("= {} as they were\n", difference.lines().count() - 1));
}
