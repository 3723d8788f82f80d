//! The public keys over HTTP, to verify access tokens without gRPC (RFC 7517, RFC 8037).

use axum::extract::State;
use axum::http::header::CACHE_CONTROL;
use axum::response::IntoResponse;
use axum::routing::get;
use axum::{Json, Router};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Serialize;

use crate::access::Access;

/// `GET /.well-known/jwks.json`.
pub fn router(access: Access) -> Router {
    Router::new().route("/.well-known/jwks.json", get(keys)).with_state(access)
}

#[derive(Serialize)]
struct Jwks {
    keys: Vec<Jwk>,
}

#[derive(Serialize)]
struct Jwk {
    kty: &'static str,
    crv: &'static str,
    alg: &'static str,
    #[serde(rename = "use")]
    usage: &'static str,
    kid: String,
    x: String,
}

async fn keys(State(access): State<Access>) -> impl IntoResponse {
    let keys = access
        .view()
        .keys()
        .map(|key| Jwk {
            kty: "OKP",
            crv: "Ed25519",
            alg: "EdDSA",
            usage: "sig",
            kid: key.kid.clone(),
            x: URL_SAFE_NO_PAD.encode(&key.ed25519),
        })
        .collect();
    ([(CACHE_CONTROL, "public, max-age=60")], Json(Jwks { keys }))
}
