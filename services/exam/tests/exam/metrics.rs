//! The metrics of a running exam.

use std::process::Command;

use kit::caller::Service;
use kit::clock::Clock;
use kit::error::ServiceError;
use kit::test::{self, CALLER_SECRET, Process};
use kit_db::test::TestDatabase;
use proto::exam::exam_service_client::ExamServiceClient;
use proto::exam::{ExamQuestionsMissed, ListExamsRequest};

use crate::hall::outbox;

#[tokio::test]
async fn exam_exports_metrics_of_its_calls_and_connections() {
    let database = TestDatabase::new(&exam::MIGRATIONS).await;
    let missed = ExamQuestionsMissed::default();
    let mut connection = database.pool.acquire().await.unwrap();
    outbox().publish(&mut connection, &missed, Clock::system().now()).await.unwrap();
    let mut exam = Process::start(
        Command::new(env!("CARGO_BIN_EXE_exam"))
            .env_clear()
            .args(["serve", "--listen", "127.0.0.1:0", "--metrics-listen", "127.0.0.1:0"])
            .args(["--database-url", &database.url, "--caller-keys", &test::caller_keys()])
            .args(["--receipt-key", crate::hall::RECEIPT_KEY, "--fonts", crate::hall::FONTS])
            .args(["--secret", CALLER_SECRET, "--lms-url", "http://127.0.0.1:1", "--lms-key", CALLER_SECRET])
            .args(["--auth-url", "http://127.0.0.1:1", "--auth-key", CALLER_SECRET]),
    );
    let address = exam.address("serving");
    let metrics = exam.address("showing metrics");
    let url = format!("http://{address}");
    let channel = test::channel_as(&url, Service::Exam, test::anyone());
    let request = ListExamsRequest { page: 1 };
    let unsigned = kit::client::channel(&url).unwrap();
    let refused = ExamServiceClient::new(unsigned).list_exams(request).await.unwrap_err();
    assert_eq!(ServiceError::from_status(&refused).reason, "CALLER_MISSING");
    ExamServiceClient::new(channel).list_exams(request).await.unwrap();

    let shown = test::metrics(metrics, exam::METRICS);
    let labels = r#"rpc_method="exam.v1.ExamService/ListExams",rpc_response_status_code="OK""#;
    assert!(shown.contains(&format!("rpc_server_call_duration_seconds_count{{{labels}}} 1")), "{shown}");
    for (reason, count) in [("missing", 1), ("invalid", 0), ("expired", 0), ("not_allowed", 0)] {
        let refused = format!("konomana_callers_refused_total{{reason=\"{reason}\"}} {count}");
        assert!(shown.contains(&refused), "{refused}: {shown}");
    }
    assert!(shown.contains(r#"konomana_outbox_age_seconds{receiver="lms"} "#), "{shown}");
    for state in ["idle", "used"] {
        let connections = format!("db_client_connection_count{{db_client_connection_state=\"{state}\"}} ");
        assert!(shown.contains(&connections), "{shown}");
    }
    assert!(!shown.contains("db_client_connection_wait_time_seconds_count 0"), "{shown}");
}
