//! A request can be followed from the click to the SQL.

use http::StatusCode;
use rustix::process::Signal;
use sqlx::{Executor as _, Row as _};

use crate::learner::{Answer, Learner};
use crate::product::{Product, RECOVERY, until};

/// From a statement up to the edge's answer: what a request of the path must have passed.
const WAYS: [(&str, [&str; 4]); 3] = [
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
    for (path, way) in WAYS {
        let answer = learner.get(path).await;
        // Each process sends its spans when it has some together.
        let mut tree = String::new();
        until(RECOVERY, "the trace is whole", async || {
            tree = product.run_command(&["trace", traceparent(&answer)]);
            way_up(&tree, way[0]) == way
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
    let mut blocker = product.locked("lms", "learner_inventory").await;
    let mut watcher = product.database("lms").await;
    let ending = async {
        until(RECOVERY, "the request waits for its statement", async || {
            let waiting = "SELECT count(*) FROM pg_stat_activity \
                           WHERE usename LIKE 'konomana_lms_%' AND wait_event_type = 'Lock'";
            watcher.fetch_one(waiting).await.expect("it counts").get::<i64, _>(0) > 0
        })
        .await;
        let told = product.signal("lms", Signal::TERM);
        blocker.execute("ROLLBACK").await.expect("the lock is let go");
        until(RECOVERY, "another lms serves", async || product.is_replaced("lms", told)).await;
    };
    let (path, way) = WAYS[0];
    let (answer, ()) = tokio::join!(learner.get(path), ending);
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    let tree = product.run_command(&["trace", traceparent(&answer)]);
    assert_eq!(way_up(&tree, way[0]), way, "{tree}");
}

fn traceparent(answer: &Answer) -> &str {
    let timing = answer.headers["server-timing"].to_str().expect("it is text");
    timing.split('"').nth(1).expect("it is quoted")
}

/// The span called `name` and what stands above it, nearest first.
fn way_up<'a>(tree: &'a str, name: &str) -> Vec<&'a str> {
    let spans: Vec<(usize, &str)> = tree
        .lines()
        .map(|line| {
            let text = line.trim_start();
            // Name and figures are two spaces or more apart.
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
