//! Every REST path, once: the router and the document of the API are made of the same list.

use std::sync::LazyLock;

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::response::Response;
use bytes::Bytes;
use http::{Method, StatusCode};
use kit::trace::ServerTrace;
use utoipa::OpenApi;
use utoipa::openapi::content::Content;
use utoipa::openapi::path::Operation;
use utoipa::openapi::response::ResponseBuilder;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, SecurityScheme};
use utoipa::openapi::{OpenApi as Document, PathItem, Ref};
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};
use utoipa_axum::routes;

use crate::accounts::{consent, ending, guardian, passkeys, profile, sessions};
use crate::closure::Closure;
use crate::commerce::product;
use crate::desk::{contact, entry_exam, faq, feed, notice, success};
use crate::error::{Error, Problem};
use crate::gate::{door, guard};
use crate::limits::{Kind, Kinds};
use crate::lms::listing::{Level, SchoolYear, Sort, Subject};
use crate::lms::{
    catalogue, inventory, lesson, listing, marks, notes, questions, results, reviews, streams, teachers,
    watching,
};
use crate::{Edge, accounts, answer, maintenance, media, postal, search};

/// What the paths don't say.
#[derive(OpenApi)]
#[openapi(
    info(title = "Konomana", version = "1", description = "The REST API of Konomana. Paths end in a slash, times are RFC 3339 in UTC, and every failure is a problem (RFC 9457) whose `code` says why. A browser that sends cookies repeats its XSRF-TOKEN cookie in the X-XSRF-TOKEN header of every POST, PUT and DELETE."),
    components(schemas(Problem, Closure, Level, SchoolYear, Sort, Subject)),
    tags(
        (name = "accounts", description = "Sessions and accounts"),
        (name = "lms", description = "The catalogue, and what a learner owns and marks"),
        (name = "media", description = "The files of lessons"),
        (name = "commerce", description = "What is sold"),
        (name = "desk", description = "What the school tells and is told"),
        (name = "search", description = "Courses, lessons, teachers, notices and answers by words"),
        (name = "postal", description = "Postal codes of Japan"),
        (name = "maintenance", description = "What is closed, and when"),
        (name = "schema", description = "This document")
    )
)]
struct Base;

fn paths() -> OpenApiRouter<Edge> {
    OpenApiRouter::with_openapi(Base::openapi())
        .routes(hashing(routes!(accounts::login)))
        .routes(hashing(routes!(accounts::password::change)))
        .routes(routes!(accounts::refresh))
        .routes(hashing(routes!(accounts::signup::start)))
        .routes(routes!(accounts::signup::resend))
        .routes(routes!(accounts::signup::verify))
        .routes(routes!(accounts::signup::status))
        .routes(hashing(routes!(accounts::signup::complete)))
        .routes(routes!(accounts::password::reset))
        .routes(routes!(accounts::password::check))
        .routes(hashing(routes!(accounts::password::confirm)))
        .routes(routes!(accounts::user))
        .routes(routes!(accounts::logout))
        .routes(routes!(profile::set_profile))
        .routes(routes!(profile::address, profile::set_address))
        .routes(hashing(routes!(profile::change_password)))
        .routes(hashing(routes!(profile::change_email)))
        .routes(routes!(profile::confirm_email))
        .routes(routes!(profile::stop_email))
        .routes(routes!(profile::undo_email))
        .routes(routes!(sessions::list))
        .routes(routes!(sessions::end))
        .routes(routes!(sessions::end_all))
        .routes(routes!(consent::ask_consent))
        .routes(routes!(consent::check_consent))
        .routes(routes!(consent::give_consent))
        .routes(routes!(consent::check_withdrawal))
        .routes(routes!(consent::withdraw))
        .routes(routes!(consent::withdraw_for_child))
        .routes(routes!(consent::check_birth_date))
        .routes(routes!(consent::decide_birth_date))
        .routes(routes!(guardian::new_code))
        .routes(routes!(guardian::links))
        .routes(routes!(guardian::end_link))
        .routes(routes!(guardian::use_code))
        .routes(routes!(guardian::children))
        .routes(routes!(guardian::child))
        .routes(hashing(routes!(ending::export)))
        .routes(hashing(routes!(ending::close)))
        .routes(hashing(routes!(ending::reopen)))
        .routes(routes!(passkeys::list, passkeys::add))
        .routes(hashing(routes!(passkeys::options)))
        .routes(routes!(passkeys::rename, passkeys::remove))
        .routes(hashing(routes!(passkeys::keep)))
        .routes(routes!(passkeys::login_options))
        .routes(routes!(passkeys::log_in))
        .routes(routes!(inventory::list))
        .routes(routes!(inventory::item))
        .routes(routes!(lesson::lesson))
        .routes(routes!(streams::start))
        .routes(routes!(streams::end))
        .routes(routes!(streams::handouts))
        .routes(routes!(streams::bundle))
        .routes(with_ticket(routes!(media::file)))
        .routes(routes!(media::open))
        .routes(routes!(marks::bookmarks))
        .routes(routes!(marks::set_bookmark, marks::remove_bookmark))
        .routes(routes!(marks::favorites))
        .routes(routes!(marks::set_favorite, marks::remove_favorite))
        .routes(routes!(marks::checks))
        .routes(routes!(marks::set_check, marks::remove_check))
        .routes(routes!(watching::beat))
        .routes(routes!(watching::recent))
        .routes(routes!(watching::week))
        .routes(routes!(notes::notes))
        .routes(routes!(notes::set_note, notes::remove_note))
        .routes(routes!(questions::list))
        .routes(routes!(questions::question))
        .routes(routes!(questions::answer))
        .routes(routes!(questions::practise))
        .routes(routes!(results::list))
        .routes(routes!(results::growth))
        .routes(routes!(results::result))
        .routes(routes!(reviews::list))
        .routes(routes!(listing::list))
        .routes(routes!(catalogue::course))
        .routes(routes!(teachers::list))
        .routes(routes!(teachers::teacher))
        .routes(routes!(search::search))
        .routes(routes!(search::suggest))
        .routes(routes!(product::list))
        .routes(routes!(product::product))
        .routes(routes!(notice::list))
        .routes(routes!(feed::feed))
        .routes(routes!(notice::notice))
        .routes(routes!(faq::list))
        .routes(routes!(faq::faq))
        .routes(routes!(faq::vote))
        .routes(routes!(contact::send))
        .routes(routes!(contact::put_picture))
        .routes(routes!(success::voices))
        .routes(routes!(success::year))
        .routes(routes!(entry_exam::list))
        .routes(routes!(postal::look_up))
        .routes(routes!(maintenance::list))
        .routes(routes!(document))
}

/// The extension of an operation that says whose room its requests take. It is left out of the published document.
const ROOM: &str = "x-room";

/// Declares that these hash a password, so that they take room of their own: that of sign-ins without a token, that of
/// password checks with one. Every call of auth that hashes belongs here; a test below finds those that are missing.
fn hashing(routes: UtoipaMethodRouter<Edge>) -> UtoipaMethodRouter<Edge> {
    in_room("hashing", routes)
}

/// Declares that these are no public reads although they need no token: their path has a ticket.
fn with_ticket(routes: UtoipaMethodRouter<Edge>) -> UtoipaMethodRouter<Edge> {
    in_room("ticket", routes)
}

fn in_room(room: &str, (schemas, mut paths, router): UtoipaMethodRouter<Edge>) -> UtoipaMethodRouter<Edge> {
    for (_, operation) in paths.paths.values_mut().flat_map(operations) {
        operation.extensions.get_or_insert_default().insert(ROOM.to_owned(), room.into());
    }
    (schemas, paths, router)
}

/// What the declarations say of the room of each operation; reads without a token are public.
pub(crate) fn kinds() -> Kinds {
    let (_, mut document) = paths().split_for_parts();
    let mut kinds = Kinds::new();
    for (path, item) in &mut document.paths.paths {
        let of_path = operations(item).filter_map(|(method, operation)| {
            let room = operation.extensions.as_ref().and_then(|extensions| extensions.get(ROOM));
            let kind = match room.and_then(|room| room.as_str()) {
                Some("hashing") if operation.security.is_none() => Kind::SignIn,
                Some("hashing") => Kind::PasswordCheck,
                None if method == Method::GET && operation.security.is_none() => Kind::Public,
                _ => return None,
            };
            Some((method, kind))
        });
        kinds.insert(path.clone(), of_path.collect());
    }
    kinds
}

/// The router, with all that every request passes.
pub(crate) fn router(edge: Edge) -> Router {
    let (router, _) = paths().split_for_parts();
    router
        .fallback(async || Error::NotFound)
        .layer(from_fn_with_state(edge.clone(), guard))
        .layer(ServerTrace::new(edge.time_limit()))
        .layer(from_fn_with_state(edge.clone(), door))
        .with_state(edge)
}

/// This document.
#[utoipa::path(
    get,
    path = "/api/schema/",
    operation_id = "schema",
    tag = "schema",
    responses((status = 200, description = "OpenAPI 3.1", content_type = "application/json", body = Object))
)]
async fn document() -> Response {
    static DOCUMENT: LazyLock<Bytes> = LazyLock::new(|| schema().into());
    answer::written(StatusCode::OK, "application/json", DOCUMENT.clone())
}

/// The `OpenAPI` document of everything above, indented, ending with a new line; the same bytes every time.
#[must_use]
pub fn schema() -> String {
    let (_, mut document) = paths().split_for_parts();
    add_security(&mut document);
    // The router's way to say that slashes are meant too.
    let paths = std::mem::take(&mut document.paths.paths);
    document.paths.paths = paths.into_iter().map(|(path, item)| (path.replace("{*", "{"), item)).collect();
    for (_, operation) in document.paths.paths.values_mut().flat_map(operations) {
        operation.extensions = None;
        add_failures(operation);
    }
    let mut text = document.to_pretty_json().unwrap_or_default();
    text.push('\n');
    text
}

fn add_security(document: &mut Document) {
    let token = ApiKeyValue::with_description("Authorization", "An access token, with or without `Bearer `.");
    document
        .components
        .get_or_insert_default()
        .add_security_scheme("token", SecurityScheme::ApiKey(ApiKey::Header(token)));
}

fn operations(item: &mut PathItem) -> impl Iterator<Item = (Method, &mut Operation)> {
    let PathItem { get, put, post, delete, .. } = item;
    let operations = [(Method::GET, get), (Method::PUT, put), (Method::POST, post), (Method::DELETE, delete)];
    operations.into_iter().filter_map(|(method, operation)| Some((method, operation.as_mut()?)))
}

/// How every operation may fail.
fn add_failures(operation: &mut Operation) {
    let failure = |description: &str, media_type: &str, schema: &str| {
        let content = Content::builder().schema(Some(Ref::from_schema_name(schema))).build();
        ResponseBuilder::new().description(description).content(media_type, content).build().into()
    };
    let responses = &mut operation.responses.responses;
    responses.insert("503".to_owned(), failure("Closed for maintenance", "application/json", "Maintenance"));
    responses.insert("default".to_owned(), failure("What went wrong", "application/problem+json", "Problem"));
}

#[cfg(test)]
mod tests;
