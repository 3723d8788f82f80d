//! Events.

use axum::Router;
use axum::extract::{RawQuery, State};
use axum::response::Response;
use axum::routing::get;
use http::HeaderMap;

use super::paging::Paging;
use super::{API_VERSION, Api};

pub(super) fn routes() -> Router<Api> {
    Router::new().route("/v1/events", get(list_events))
}

async fn list_events(State(api): State<Api>, RawQuery(query): RawQuery, headers: HeaderMap) -> Response {
    api.answer_read(&headers, query, &[], |state, form| {
        let kind = form.take("type");
        let period = Paging::take_period(form)?;
        let paging = Paging::take(form)?;
        form.finish()?;
        let found = state.events.iter().rev().filter(|event| {
            period.contains(&event.created) && kind.as_ref().is_none_or(|kind| event.r#type == *kind)
        });
        paging.list("/v1/events", found.map(|event| event.to_json(API_VERSION)))
    })
    .await
}
