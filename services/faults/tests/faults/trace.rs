//! Traces of requests, from the edge to the SQL statement.

use http::StatusCode;
use rustix::process::Signal;
use sqlx::{Executor as _, Row as _};

use crate::learner::{Answer, Learner};
use crate::product::{Product, RECOVERY, until};

/// For each path, the spans of a request from the statement up to the edge.
const SPAN_PATHS: [(&str, [&str; 4]); 3] = [
    (
        "/api/lms/inventory/",
        [
            "lms SELECT learner_inventory CLIENT",
            "lms lms.v1.InventoryService/ListInventory SERVER",
            "edge lms.v1.InventoryService/ListInventory CLIENT",
            "edge GET /api/lms/inventory/ SERVER",
        ],
    ),
    (
        "/api/accounts/user/",
        [
            "auth SELECT account CLIENT",
            "auth auth.v1.AuthService/GetUser SERVER",
            "edge auth.v1.AuthService/GetUser CLIENT",
            "edge GET /api/accounts/user/ SERVER",
        ],
    ),
    (
        "/api/commerce/product/",
        [
            "commerce SELECT product CLIENT",
            "commerce commerce.v1.ProductService/ListProducts SERVER",
            "edge commerce.v1.ProductService/ListProducts CLIENT",
            "edge GET /api/commerce/product/ SERVER",
        ],
    ),
];

#[tokio::test]
async fn a_trace_leads_from_the_edge_to_the_statement() {
    let product = Product::start();
    let learner = Learner::sign_in(&product.origin, "adult").await;
    for (path, way) in SPAN_PATHS {
        let answer = learner.get(path).await;
        // Processes export their spans in batches, so the trace is complete only after a while.
        let mut tree = String::new();
        until(RECOVERY, "the trace is complete", async || {
            tree = product.run_command(&["trace", traceparent(&answer)]);
            list_ancestors(&tree, way[0]) == way
        })
        .await;
        for secret in ["adult@demo.example", "eyJ"] {
            assert!(!tree.contains(secret), "{tree}");
        }
    }
}

#[tokio::test]
async fn the_last_request_of_a_service_that_ends_is_traced_to_its_statement() {
    let product = Product::start();
    let learner = Learner::sign_in(&product.origin, "adult").await;
    let mut blocker = product.lock_table("lms", "learner_inventory").await;
    let mut watcher = product.database("lms").await;
    let ending = async {
        until(RECOVERY, "the request waits for its statement", async || {
            let waiting = "SELECT count(*) FROM pg_stat_activity \
                           WHERE usename LIKE 'konomana_lms_%' AND wait_event_type = 'Lock'";
            watcher.fetch_one(waiting).await.expect("the query succeeds").get::<i64, _>(0) > 0
        })
        .await;
        let stopped = product.signal("lms", Signal::TERM);
        blocker.execute("ROLLBACK").await.expect("the lock is released");
        until(RECOVERY, "another lms is ready", async || product.is_replaced("lms", stopped)).await;
    };
    let (path, way) = SPAN_PATHS[0];
    let (answer, ()) = tokio::join!(learner.get(path), ending);
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    let tree = product.run_command(&["trace", traceparent(&answer)]);
    assert_eq!(list_ancestors(&tree, way[0]), way, "{tree}");
}

fn traceparent(answer: &Answer) -> &str {
    let timing = answer.headers["server-timing"].to_str().expect("the header is ASCII");
    timing.split('"').nth(1).expect("the header has a quoted value")
}

/// Returns the span called `name` and its ancestors, nearest first.
fn list_ancestors<'a>(tree: &'a str, name: &str) -> Vec<&'a str> {
    let spans: Vec<(usize, &str)> = tree
        .lines()
        .map(|line| {
            let text = line.trim_start();
            // At least two spaces separate the name from the figures.
            (line.len() - text.len(), text.split("  ").next().unwrap_or(text))
        })
        .collect();
    let mut way = Vec::new();
    let mut below = usize::MAX;
    let from = spans.iter().position(|(_, span)| *span == name).map_or(0, |found| found + 1);
    for (indent, span) in spans[..from].iter().rev() {
        if *indent < below {
            way.push(*span);
            below = *indent;
        }
    }
    way
}
