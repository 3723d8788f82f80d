//! Limits on password guessing over sockets: shared by all edges, and high enough for a school behind one
//! address.

use crate::support::{Edge, NOW, ONE, PASSWORD, World};
use auth::account::{self, Account};
use serde_json::json;
use uuid::Uuid;

#[tokio::test]
async fn two_edges_share_the_count_of_attempts() {
    let world = World::new().await;
    let edges = [world.edge().await, world.edge().await];
    let outcome = async |turn: usize, path: &str, body: &serde_json::Value| {
        edges[turn % 2].post(&format!("/api/accounts/{path}"), body).await.outcome()
    };
    let reset = json!({ "email": ONE });
    for turn in 0..3 {
        assert_eq!(outcome(turn, "password/reset/", &reset).await, "202");
    }
    for turn in 0..2 {
        assert_eq!(outcome(turn, "password/reset/", &reset).await, "429 RATE_LIMITED");
    }

    let wrong = json!({"email": ONE, "password": "a wrong password"});
    for turn in 0..10 {
        assert_eq!(outcome(turn, "login/", &wrong).await, "400 BAD_CREDENTIALS");
    }
    let right = json!({"email": ONE, "password": PASSWORD});
    for turn in 0..2 {
        assert_eq!(outcome(turn, "login/", &right).await, "429 RATE_LIMITED");
    }

    let dead = json!({"uid": Uuid::nil(), "token": "dead"});
    for turn in 0..60 {
        assert_eq!(outcome(turn, "password/reset/check/", &dead).await, "400 LINK_DEAD");
    }
    for turn in 0..2 {
        assert_eq!(outcome(turn, "password/reset/check/", &dead).await, "429 RATE_LIMITED");
    }
}

#[tokio::test]
async fn a_class_of_40_behind_one_address_signs_in_within_a_minute() {
    let world = World::new().await;
    let hash = auth::password::hash(PASSWORD).unwrap();
    let mut connection = world.auth_database.pool.acquire().await.unwrap();
    let email = |number: u128| format!("pupil{number}@konomana.example");
    for number in 0..40 {
        let pupil = Account {
            id: Uuid::from_u128(number + 100),
            email: email(number),
            password_hash: hash.clone(),
            scope: vec!["learner".to_owned()],
            last_name: "鈴木".to_owned(),
            first_name: "花".to_owned(),
            last_name_kana: "スズキ".to_owned(),
            first_name_kana: "ハナ".to_owned(),
            birth_date: None,
            created: NOW,
        };
        account::put(&mut connection, &pupil).await.unwrap();
    }
    drop(connection);
    let edge: Edge = world.edge().await;
    let began = std::time::Instant::now();
    let logins = (0..40).map(async |number| {
        let login = json!({"email": email(number), "password": PASSWORD});
        edge.post("/api/accounts/login/", &login).await.outcome()
    });
    let outcomes = futures_util::future::join_all(logins).await;
    // The clock stands still, so no token of the address's limit was refilled.
    assert_eq!(outcomes, ["200"; 40]);
    assert!(began.elapsed() < std::time::Duration::from_mins(1), "{:?}", began.elapsed());
}
