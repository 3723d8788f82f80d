//! A request can be followed from the click to the SQL.

use crate::learner::Learner;
use crate::product::Product;

/// From a statement up to the edge's answer: what a request of the path must have passed.
const WAYS: [(&str, [&str; 4]); 2] = [
    (
        "/api/lms/inventory/",
        [
            "lms SELECT inventory CLIENT",
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
];

#[tokio::test]
async fn a_trace_leads_from_the_edge_to_the_statement() {
    let product = Product::start();
    let learner = Learner::sign_in(&product.origin, "adult").await;
    for (path, way) in WAYS {
        let answer = learner.get(path).await;
        let timing = answer.headers["server-timing"].to_str().expect("it is text");
        let traceparent = timing.split('"').nth(1).expect("it is quoted");
        let tree = product.said(&["trace", traceparent]);
        assert_eq!(way_up(&tree, way[0]), way, "{tree}");
        for secret in ["adult@demo.example", "eyJ"] {
            assert!(!tree.contains(secret), "{tree}");
        }
    }
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
