//! Clients that open connections and send nothing, or half of a request.

use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;

use crate::learner::Learner;
use crate::product::Product;

const STRANGERS: usize = 1_000;

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_half_open_connections_do_not_block_a_learner() {
    let product = Product::start();
    let learner = Learner::sign_in(&product.origin, "adult").await;
    // Connects directly to the edge, which must withstand this without the gateway.
    let edge = product.process("edge").expect("the edge runs").address;
    let mut strangers = Vec::with_capacity(STRANGERS);
    for number in 0..STRANGERS {
        let mut stranger = TcpStream::connect(&edge).await.expect("the edge accepts");
        if number % 2 == 0 {
            stranger
                .write_all(b"GET /api/lms/inventory/ HTTP/1.1\r\nHost: x\r\nX-Half: ")
                .await
                .expect("the edge accepts bytes");
        }
        strangers.push(stranger);
    }
    for _ in 0..20 {
        assert!(learner.get("/api/lms/inventory/").await.status.is_success());
    }
    drop(strangers);
}
