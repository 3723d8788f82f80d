//! The `OpenAPI` document of the routes.

use std::sync::LazyLock;

use axum::response::Response;
use bytes::Bytes;
use http::StatusCode;
use utoipa::OpenApi;
use utoipa::openapi::content::Content;
use utoipa::openapi::path::Operation;
use utoipa::openapi::response::ResponseBuilder;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, SecurityScheme};
use utoipa::openapi::{OpenApi as Document, Ref};

use super::{all_routes, collect_routes, documented_path};
use crate::answer;
use crate::audience::Provider;
use crate::closure::Closure;
use crate::error::ApiError;
use crate::lms::course_list::{Level, SchoolYear, Sort, Subject};
use crate::lms::inventory::InventoryState;
use crate::route::{Route, TOKEN_SCHEME, operations_mut};

/// The parts of the document that the routes do not declare.
#[derive(OpenApi)]
#[openapi(
    info(title = "Konomana", version = "1", description = "REST API of Konomana. Paths end with a slash. Times are RFC 3339 in UTC. Errors are RFC 9457 problem documents; `code` identifies the error. A browser that sends cookies must repeat its XSRF-TOKEN cookie in the X-XSRF-TOKEN header of every POST, PUT and DELETE."),
    components(schemas(ApiError, Closure, InventoryState, Level, SchoolYear, Sort, Subject)),
    tags(
        (name = "accounts", description = "Sessions and accounts"),
        (name = "lms", description = "Catalogue, inventory, marks, notes, questions and playback"),
        (name = "exam", description = "Mock exams"),
        (name = "media", description = "Files of lessons and courses"),
        (name = "commerce", description = "Products for sale, carts, coupons, orders and receipts"),
        (name = "desk", description = "Notices, FAQ, inquiries, questions to teachers, interviews, events, notifications, calendar addresses, success stories and entrance exams"),
        (name = "search", description = "Full-text search in courses, lessons, teachers, notices and FAQ"),
        (name = "postal", description = "Japanese postal codes"),
        (name = "maintenance", description = "Maintenance windows"),
        (name = "schema", description = "The OpenAPI document")
    )
)]
pub(super) struct Base;

/// Returns the OpenAPI document.
#[utoipa::path(
    get,
    path = "/api/schema/",
    operation_id = "schema",
    tag = "schema",
    responses((status = 200, description = "The OpenAPI 3.1 document.", content_type = "application/json", body = Object))
)]
pub(super) async fn document() -> Response {
    static DOCUMENT: LazyLock<Bytes> = LazyLock::new(|| schema().into());
    answer::build_response(StatusCode::OK, "application/json", DOCUMENT.clone())
}

/// Returns the `OpenAPI` document of every route, indented, with a final new line. The bytes are the same
/// every time.
#[must_use]
pub fn schema() -> String {
    let mut text = build_document(all_routes()).to_pretty_json().unwrap_or_default();
    text.push('\n');
    text
}

pub(super) fn build_document(routes: Vec<Route>) -> Document {
    let webhooks: Vec<Provider> =
        routes.iter().filter_map(|route| route.policy.audience.provider()).collect();
    let (_, mut document) = collect_routes(routes).split_for_parts();
    add_security(&mut document, &webhooks);
    let paths = std::mem::take(&mut document.paths.paths);
    document.paths.paths = paths.into_iter().map(|(path, item)| (documented_path(&path), item)).collect();
    for (_, operation) in document.paths.paths.values_mut().flat_map(operations_mut) {
        add_failures(operation);
    }
    document
}

fn add_security(document: &mut Document, webhooks: &[Provider]) {
    let token =
        ApiKeyValue::with_description("Authorization", "Access token, with or without the prefix `Bearer `.");
    let components = document.components.get_or_insert_default();
    components.add_security_scheme(TOKEN_SCHEME, SecurityScheme::ApiKey(ApiKey::Header(token)));
    for provider in webhooks {
        let signature = ApiKeyValue::with_description(provider.signature_header, "Signature of the body.");
        components.add_security_scheme(provider.name, SecurityScheme::ApiKey(ApiKey::Header(signature)));
    }
}

/// Adds the error responses that every operation has.
fn add_failures(operation: &mut Operation) {
    let failure = |description: &str, media_type: &str, schema: &str| {
        let content = Content::builder().schema(Some(Ref::from_schema_name(schema))).build();
        ResponseBuilder::new().description(description).content(media_type, content).build().into()
    };
    let responses = &mut operation.responses.responses;
    // A calendar has a 503 of its own.
    let closed = || failure("Closed for maintenance.", "application/json", "Maintenance");
    responses.entry("503".to_owned()).or_insert_with(closed);
    responses.insert("default".to_owned(), failure("An error.", "application/problem+json", "Problem"));
}
