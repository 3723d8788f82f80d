//! The metrics of a running lms.

use std::process::Command;

use kit::caller::Service;
use kit::error::ServiceError;
use kit::test::{self, Process};
use kit_db::test::TestDatabase;
use proto::lms::ListCoursesRequest;
use proto::lms::catalogue_service_client::CatalogueServiceClient;

#[tokio::test]
async fn lms_exports_metrics_of_its_calls_and_connections() {
    let database = TestDatabase::new(&lms::MIGRATIONS).await;
    let mut lms = Process::start(
        Command::new(env!("CARGO_BIN_EXE_lms"))
            .env_clear()
            .args(["serve", "--listen", "127.0.0.1:0", "--metrics-listen", "127.0.0.1:0"])
            .args(["--database-url", &database.url, "--caller-keys", &test::caller_keys()])
            .args(["--fonts", crate::school::FONTS]),
    );
    let address = lms.address("serving");
    let metrics = lms.address("showing metrics");
    let url = format!("http://{address}");
    let channel = test::channel_as(&url, Service::Lms, test::anyone());
    let request = ListCoursesRequest { page: 1, ..ListCoursesRequest::default() };
    let unsigned = kit::client::channel(&url).unwrap();
    let refused = CatalogueServiceClient::new(unsigned).list_courses(request.clone()).await.unwrap_err();
    assert_eq!(ServiceError::from_status(&refused).reason, "CALLER_MISSING");
    CatalogueServiceClient::new(channel).list_courses(request).await.unwrap();

    let shown = test::metrics(metrics, lms::METRICS);
    let labels = r#"rpc_method="lms.v1.CatalogueService/ListCourses",rpc_response_status_code="OK""#;
    assert!(shown.contains(&format!("rpc_server_call_duration_seconds_count{{{labels}}} 1")), "{shown}");
    for (reason, count) in [("missing", 1), ("invalid", 0), ("expired", 0), ("not_allowed", 0)] {
        let refused = format!("konomana_callers_refused_total{{reason=\"{reason}\"}} {count}");
        assert!(shown.contains(&refused), "{refused}: {shown}");
    }
    for state in ["idle", "used"] {
        let connections = format!("db_client_connection_count{{db_client_connection_state=\"{state}\"}} ");
        assert!(shown.contains(&connections), "{shown}");
    }
    assert!(!shown.contains("db_client_connection_wait_time_seconds_count 0"), "{shown}");
}
