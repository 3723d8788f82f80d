//! Signing keys: added, signing, superseded, retired. Running servers follow the changes.

use std::time::Duration as StdDuration;

use crate::support::{SECRET, World, next, reason, verify};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::time::timeout;

impl World {
    async fn kids(&self, state: &str) -> Vec<String> {
        self.text(&format!("SELECT kid FROM signing_key WHERE state = '{state}' ORDER BY added_at")).await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn tokens_of_an_old_key_are_valid_until_it_is_retired() {
    let world = World::new().await;
    let auth = world.serve().await;
    let mut watcher = auth.watch().await;
    let old = next(&mut watcher).await.keys;
    let before = auth.log_in().await.access_token;

    world.keys(&["add"]).await.unwrap();
    let both = next_keys(&mut watcher).await;
    assert_eq!(both.len(), 2);
    assert!(verify(&auth.log_in().await.access_token, &old).is_some(), "the old key still signs");

    let new = world.kids("added").await.remove(0);
    world.keys(&["sign", &new]).await.unwrap();
    let signed_by = |token: &str| jsonwebtoken::decode_header(token).unwrap().kid.unwrap();
    let after = timeout(StdDuration::from_secs(1), async {
        loop {
            let token = auth.log_in().await.access_token;
            if signed_by(&token) == new {
                return token;
            }
        }
    })
    .await
    .expect("a running server signs with the new key within a second");
    assert!(verify(&after, &both).is_some(), "a verifier with the new key accepts its first token");
    assert!(verify(&before, &auth.snapshot().await.keys).is_some());

    world.keys(&["retire", &old[0].kid]).await.unwrap();
    let left = next_keys(&mut watcher).await;
    assert!(verify(&before, &left).is_none());
    assert!(verify(&after, &left).is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn there_is_one_signer_and_it_cannot_be_retired() {
    let world = World::new().await;
    let first = world.kids("signing").await.remove(0);
    let refused = world.keys(&["retire", &first]).await.unwrap_err().to_string();
    assert!(refused.contains("sign with another key first"), "{refused}");

    world.keys(&["add", "--sign"]).await.unwrap();
    assert_eq!(world.kids("superseded").await, std::slice::from_ref(&first));
    assert_eq!(world.kids("signing").await.len(), 1);

    world.keys(&["retire", &first]).await.unwrap();
    world.keys(&["retire", &first]).await.expect("retiring twice does nothing");
    assert_eq!(world.kids("retired").await, std::slice::from_ref(&first));
    assert_eq!(
        world.text("SELECT count(*)::text FROM signing_key WHERE sealed_private_key IS NULL").await,
        ["1"],
        "its private part is deleted"
    );
    assert!(world.keys(&["sign", &first]).await.unwrap_err().to_string().contains("is retired"));
    assert!(world.keys(&["sign", "junk"]).await.unwrap_err().to_string().contains("there is no key junk"));
    world.keys(&["list"]).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_calls_create_one_first_key() {
    let world = World::without_key().await;
    let asks = (0..4).map(|_| world.keys(&["add", "--sign", "--if-none"]));
    for asked in futures_util::future::join_all(asks).await {
        asked.unwrap();
    }
    assert_eq!(world.text("SELECT state FROM signing_key").await, ["signing"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_cannot_sign_says_what_to_do() {
    let world = World::without_key().await;
    let refused = world.try_serve(&[]).await.err().expect("the server does not start").to_string();
    assert_eq!(refused, "there is no signing key: add one with `auth keys add --sign`");
    world.keys(&["add"]).await.unwrap();
    let refused = world.try_serve(&[]).await.err().expect("the server does not start").to_string();
    assert!(refused.contains("auth keys sign KID"), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_encrypted_with_another_secret_cannot_sign() {
    let world = World::new().await;
    let auth = world.serve().await;
    let mut watcher = auth.watch().await;
    next(&mut watcher).await;
    world
        .text("UPDATE signing_key SET sealed_private_key = sealed_private_key || '\\x00', kid = 'other'")
        .await;
    next_keys(&mut watcher).await;
    assert_eq!(reason(auth.try_log_in(crate::support::EMAIL, crate::support::PASSWORD).await), "INTERNAL");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_public_keys_are_served_over_http_as_in_rfc_8037() {
    let world = World::new().await;
    let auth = world.serve().await;
    let http = kit::test::TestServer::http(auth::jwks::router(auth.access.clone())).await;
    let mut stream = tokio::net::TcpStream::connect(http.address).await.unwrap();
    stream
        .write_all(b"GET /.well-known/jwks.json HTTP/1.1\r\nHost: auth\r\nConnection: close\r\n\r\n")
        .await
        .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    let set: jsonwebtoken::jwk::JwkSet = serde_json::from_str(body).unwrap();
    let token = auth.log_in().await.access_token;
    let kid = jsonwebtoken::decode_header(&token).unwrap().kid.unwrap();
    let key = jsonwebtoken::DecodingKey::from_jwk(set.find(&kid).unwrap()).unwrap();
    let mut validation = jsonwebtoken::Validation::new(jsonwebtoken::Algorithm::EdDSA);
    validation.set_audience(&["konomana"]);
    validation.validate_exp = false;
    jsonwebtoken::decode::<crate::support::Claims>(&token, &key, &validation).expect("the key is published");
    assert!(!body.contains("\"d\""), "no private part is published");
    assert!(!body.contains(SECRET));
}

/// The keys of the next message that has any.
async fn next_keys(
    watcher: &mut tonic::Streaming<proto::auth::WatchAccessResponse>,
) -> Vec<proto::auth::PublicKey> {
    timeout(StdDuration::from_secs(1), async {
        loop {
            let step = next(watcher).await;
            if !step.keys.is_empty() {
                return step.keys;
            }
        }
    })
    .await
    .expect("a change of keys is published within a second")
}
