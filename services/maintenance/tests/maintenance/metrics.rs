//! The metrics of a running maintenance service.

use std::process::Command;

use crate::folder::{Folder, window};
use kit::caller::Service;
use kit::test::{self, Process};
use proto::maintenance::WatchWindowsRequest;
use proto::maintenance::maintenance_service_client::MaintenanceServiceClient;

#[tokio::test]
async fn an_open_window_and_a_connected_edge_are_in_the_metrics() {
    let folder = Folder::new();
    folder.write(&window("upgrade"));
    let mut maintenance = Process::start(
        Command::new(env!("CARGO_BIN_EXE_maintenance"))
            .env_clear()
            .args(["serve", "--listen", "127.0.0.1:0", "--metrics-listen", "127.0.0.1:0"])
            .args(["--caller-keys", &test::caller_keys(), "--file"])
            .arg(folder.file()),
    );
    let address = maintenance.address("serving");
    let metrics = maintenance.address("showing metrics");
    let channel = test::channel_as(&format!("http://{address}"), Service::Maintenance, test::anyone());
    let request = WatchWindowsRequest { edge: "an-edge".to_owned() };
    let answer = MaintenanceServiceClient::new(channel).watch_windows(request).await.unwrap();
    let mut list = answer.into_inner();
    list.message().await.unwrap().expect("the list arrives");

    let shown = test::metrics(metrics, maintenance::METRICS);
    for line in [
        "konomana_maintenance_windows_active{scope=\"Site\"} 1.0",
        "konomana_maintenance_window_age_seconds{name=\"upgrade\",ends=\"open\"} ",
        "konomana_maintenance_edges{state=\"known\"} 1.0",
        "konomana_maintenance_edges{state=\"told\"} 0.0",
        "konomana_maintenance_source_up 1.0",
    ] {
        assert!(shown.contains(line), "{line}: {shown}");
    }
    assert!(!shown.contains("an-edge"), "labels contain no process names: {shown}");
}
