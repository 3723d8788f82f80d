//! The callers of each rpc.

use kit::caller::Service;
use kit::test::every_rpc_admits_only_its_callers;

use crate::shop::Shop;

#[tokio::test]
async fn every_rpc_is_refused_to_all_but_its_callers() {
    let shop =
        Shop::with(&["id: 1101, kind: course, course: 101, price: 13200, sale_starts: 2026-11-21"]).await;
    every_rpc_admits_only_its_callers(
        &shop.server,
        Service::Commerce,
        commerce::CALLERS,
        &["commerce.v1", "common.v1"],
    )
    .await;
}
