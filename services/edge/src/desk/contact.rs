//! What people write to the school.

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use proto::desk;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::Edge;
use crate::answer::json_of;
use crate::client::Client;
use crate::error::Error;
use crate::input::{Fields, Form, IdempotencyKey, JsonBody, PictureBody};

/// As typed: what becomes shorter when it is normalised may be longer here.
const TYPED: usize = 512;
const TEXT: usize = 2_000;
/// With space around it, and lines that end as in Windows.
const TEXT_TYPED: usize = 2 * TEXT;

/// What somebody writes.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ContactRequest {
    /// `course`, `account`, `payment`, `technical` or `other`.
    #[schema(min_length = 1, max_length = 64, example = "course")]
    kind: String,
    /// As typed, at most 50 characters, without links, mail addresses and format characters.
    #[schema(min_length = 1, max_length = 512, pattern = "^[^\\u0000]+$")]
    name: String,
    /// As typed; the answer goes there.
    #[schema(min_length = 1, max_length = 512, pattern = "^[^\\u0000]+$")]
    email: String,
    /// As typed, 10 to 2,000 characters without the space around them.
    #[schema(min_length = 1, max_length = 4000, pattern = "^[^\\u0000]+$")]
    text: String,
    /// A picture that was put before.
    #[schema(required = false, format = Uuid)]
    picture: Option<Uuid>,
    /// Empty: no person sees this field.
    #[schema(max_length = 512)]
    website: String,
}

impl Form for ContactRequest {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        let (kind, name, email) =
            (fields.text("kind", 64), fields.text("name", TYPED), fields.text("email", TYPED));
        let text = fields.text("text", TEXT_TYPED);
        let picture = fields.optional_uuid("picture");
        let website = fields.text_or_empty("website", TYPED);
        Some(Self {
            kind: kind?,
            name: name?,
            email: email?,
            text: text?,
            picture: picture?,
            website: website?,
        })
    }
}

/// It is on its way.
#[derive(Serialize, ToSchema)]
pub(crate) struct ContactTaken {
    /// What to quote.
    #[schema(example = "K-261121-4F7Q")]
    number: String,
    /// Whether a mail with the number goes out: the school sends so many an hour and not more.
    receipt: bool,
}

/// Write to the school: two mails go out, a receipt to who writes and all of it to the school.
///
/// The receipt has nothing that was typed. A name with a link or a mail address is `HOLDS_LINK`.
/// The same key again gives the same number and no further mail; with something else it is 409.
#[utoipa::path(
    post,
    path = "/api/desk/contact/",
    operation_id = "contact",
    tag = "desk",
    params(("Idempotency-Key" = String, Header, description = "One for each inquiry, of the browser's choosing", min_length = 8, max_length = 64, pattern = "^[A-Za-z0-9-]+$")),
    request_body = ContactRequest,
    responses((status = 201, description = "Taken", body = ContactTaken))
)]
pub(crate) async fn send(
    State(edge): State<Edge>,
    client: Client,
    IdempotencyKey(idempotency_key): IdempotencyKey,
    JsonBody(form): JsonBody<ContactRequest>,
) -> Result<Response, Error> {
    let request = desk::SendRequest {
        idempotency_key,
        kind: form.kind,
        name: form.name,
        email: form.email,
        text: form.text,
        picture: form.picture.map(|picture| picture.to_string()),
        website: form.website,
        client_address: client.address,
    };
    let taken = edge.contacts().send(request).await?.into_inner();
    let taken = ContactTaken { number: taken.number, receipt: !taken.receipt_withheld };
    Ok(json_of(StatusCode::CREATED, "application/json", &taken))
}

/// The picture is there.
#[derive(Serialize, ToSchema)]
pub(crate) struct PictureTaken {
    /// What to call it when writing.
    #[schema(format = Uuid)]
    picture: String,
}

/// Put a picture that is to go with what one writes. It is forgotten after an hour if nothing is written.
///
/// The body is the picture itself, of at most 5 MiB. What it holds decides, not what it is called.
#[utoipa::path(
    post,
    path = "/api/desk/contact/picture/",
    operation_id = "contactPicture",
    tag = "desk",
    request_body(content(("image/png"), ("image/jpeg"), ("image/webp"))),
    responses((status = 201, description = "Taken", body = PictureTaken))
)]
pub(crate) async fn put_picture(
    State(edge): State<Edge>,
    client: Client,
    PictureBody(content): PictureBody,
) -> Result<Response, Error> {
    let request = desk::PutPictureRequest { content: content.into(), client_address: client.address };
    let picture = edge.contacts().put_picture(request).await?.into_inner().picture;
    Ok(json_of(StatusCode::CREATED, "application/json", &PictureTaken { picture }))
}
