//! Secret addresses for calendar apps: one an account, known only by its hash, ended by a new one and by an erasure.

use kit::caller::Scope;
use kit::test::account as caller_with;
use proto::auth::AccountErased;
use proto::desk as wire;
use proto::desk::calendar_service_client::CalendarServiceClient;
use time::Duration;
use tonic::{Code, Status};

use crate::world::{ACCOUNT, Desk, NOW, World, timestamp};

const OTHER: &str = "01936f2a-4c00-7a31-8b52-1f6d0c9e4b00";
const CLIENT: &str = "203.0.113.9";

fn client(desk: &Desk, account: &str) -> CalendarServiceClient<kit::client::Channel> {
    let caller = caller_with(account.parse().unwrap(), &[Scope::Guardian]);
    CalendarServiceClient::new(desk.server.channel_as(caller))
}

async fn make(desk: &Desk, account: &str) -> Result<String, Status> {
    let request = wire::MakeCalendarAddressRequest {};
    Ok(client(desk, account).make_calendar_address(request).await?.into_inner().token)
}

async fn find_created(desk: &Desk, account: &str) -> Option<prost_types::Timestamp> {
    let request = wire::GetCalendarAddressRequest {};
    client(desk, account).get_calendar_address(request).await.unwrap().into_inner().created_at
}

async fn find_from(desk: &Desk, token: &str, client_address: &str) -> Result<String, Code> {
    let request = wire::FindCalendarAccountRequest {
        token: token.to_owned(),
        client_address: client_address.to_owned(),
    };
    let found = CalendarServiceClient::new(desk.channel()).find_calendar_account(request).await;
    found.map(|found| found.into_inner().account_id).map_err(|status| status.code())
}

async fn find(desk: &Desk, token: &str) -> Result<String, Code> {
    find_from(desk, token, CLIENT).await
}

#[tokio::test]
async fn an_address_leads_to_its_account_until_a_new_one_is_made_or_it_is_ended() {
    let world = World::new().await;
    let desk = world.serve("smtp://127.0.0.1:1").await;
    assert_eq!(find_created(&desk, ACCOUNT).await, None);
    let first = make(&desk, ACCOUNT).await.unwrap();
    assert_eq!(first.len(), 43);
    assert_eq!(find_created(&desk, ACCOUNT).await, Some(timestamp(NOW)));
    let others = make(&desk, OTHER).await.unwrap();
    assert_eq!(find(&desk, &first).await.as_deref(), Ok(ACCOUNT));
    assert_eq!(find(&desk, &others).await.as_deref(), Ok(OTHER));

    world.clock.advance(Duration::DAY);
    let second = make(&desk, ACCOUNT).await.unwrap();
    assert_eq!(find(&desk, &first).await, Err(Code::NotFound));
    assert_eq!(find(&desk, &second).await.as_deref(), Ok(ACCOUNT));
    assert_eq!(find_created(&desk, ACCOUNT).await, Some(timestamp(NOW + Duration::DAY)));
    for _ in 0..2 {
        client(&desk, ACCOUNT).end_calendar_address(wire::EndCalendarAddressRequest {}).await.unwrap();
    }
    assert_eq!(find(&desk, &second).await, Err(Code::NotFound));
    assert_eq!(find_created(&desk, ACCOUNT).await, None);
    assert_eq!(find(&desk, &others).await.as_deref(), Ok(OTHER));
    for junk in ["", "a", &others[1..], &others.to_lowercase(), "トークン"] {
        assert_eq!(find(&desk, junk).await, Err(Code::NotFound), "{junk}");
    }
}

#[tokio::test]
async fn the_database_does_not_have_the_token() {
    let world = World::new().await;
    let desk = world.serve("smtp://127.0.0.1:1").await;
    let token = make(&desk, ACCOUNT).await.unwrap();
    let rows = world
        .text("SELECT calendar_address::text || encode(token_hash, 'base64') FROM calendar_address")
        .await;
    assert_eq!(rows.len(), 1);
    assert!(!rows[0].contains(&token), "{rows:?}");
}

#[tokio::test]
async fn an_erased_account_has_no_address_and_gets_none() {
    let world = World::new().await;
    let desk = world.serve("smtp://127.0.0.1:1").await;
    let (token, others) = (make(&desk, ACCOUNT).await.unwrap(), make(&desk, OTHER).await.unwrap());
    desk.tell(&AccountErased { account_id: ACCOUNT.to_owned() }).await;
    assert_eq!(find(&desk, &token).await, Err(Code::NotFound));
    assert_eq!(make(&desk, ACCOUNT).await.unwrap_err().code(), Code::NotFound);
    assert_eq!(find(&desk, &others).await.as_deref(), Ok(OTHER));
}

#[tokio::test]
async fn reads_of_an_address_and_unknown_tokens_of_a_client_are_limited_apart() {
    let world = World::new().await;
    let desk = world.serve("smtp://127.0.0.1:1").await;
    let (token, others) = (make(&desk, ACCOUNT).await.unwrap(), make(&desk, OTHER).await.unwrap());
    for _ in 0..60 {
        assert_eq!(find(&desk, &token).await.as_deref(), Ok(ACCOUNT));
        assert_eq!(find(&desk, "unknown").await, Err(Code::NotFound));
    }
    assert_eq!(find(&desk, &token).await, Err(Code::ResourceExhausted));
    assert_eq!(find(&desk, "unknown").await, Err(Code::ResourceExhausted));
    // Other people behind the same address, and other clients.
    assert_eq!(find(&desk, &others).await.as_deref(), Ok(OTHER));
    assert_eq!(find_from(&desk, "unknown", "198.51.100.7").await, Err(Code::NotFound));
    world.clock.advance(Duration::MINUTE);
    assert_eq!(find(&desk, &token).await.as_deref(), Ok(ACCOUNT));
    assert_eq!(find(&desk, "unknown").await, Err(Code::NotFound));
}
