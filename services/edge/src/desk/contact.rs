//! Inquiries to the school.

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

/// Longest input in characters. Normalization may shorten it to the stored limit.
const MAX_INPUT: usize = 512;
const MAX_TEXT: usize = 2_000;
/// Longest input in characters: surrounding space and CRLF line ends are removed later.
const MAX_TEXT_INPUT: usize = 2 * MAX_TEXT;

/// An inquiry to the school.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ContactRequest {
    /// `course`, `account`, `payment`, `technical` or `other`.
    #[schema(min_length = 1, max_length = 64, example = "course")]
    kind: String,
    /// As typed; at most 50 characters, without links, email addresses and format characters.
    #[schema(min_length = 1, max_length = 512, pattern = "^[^\\u0000]+$")]
    name: String,
    /// As typed. The school replies to this address.
    #[schema(min_length = 1, max_length = 512, pattern = "^[^\\u0000]+$")]
    email: String,
    /// As typed; 10 to 2,000 characters, not counting surrounding space.
    #[schema(min_length = 1, max_length = 4000, pattern = "^[^\\u0000]+$")]
    text: String,
    /// Id of an uploaded picture; null: none.
    #[schema(required = false, format = Uuid)]
    picture: Option<Uuid>,
    /// Honeypot field, invisible to people. Must be empty.
    #[schema(max_length = 512)]
    website: String,
}

impl Form for ContactRequest {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        let (kind, name, email) =
            (fields.text("kind", 64), fields.text("name", MAX_INPUT), fields.text("email", MAX_INPUT));
        let text = fields.text("text", MAX_TEXT_INPUT);
        let picture = fields.optional_uuid("picture");
        let website = fields.text_or_empty("website", MAX_INPUT);
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

/// An accepted inquiry.
#[derive(Serialize, ToSchema)]
pub(crate) struct ContactTaken {
    /// Inquiry number.
    #[schema(example = "K-261121-4F7Q")]
    number: String,
    /// Whether a receipt is sent by email. False if the hourly limit of receipts is reached.
    receipt: bool,
}

/// Sends an inquiry to the school.
///
/// Two emails are sent: a receipt to the sender that contains nothing typed, and the full inquiry to the
/// school. A name with a link or an email address is a field error: `HOLDS_LINK`. The same idempotency key
/// again returns the same number and sends nothing; with other content it is 409.
#[utoipa::path(
    post,
    path = "/api/desk/contact/",
    operation_id = "contact",
    tag = "desk",
    params(("Idempotency-Key" = String, Header, description = "Idempotency key, chosen by the browser for each inquiry.", min_length = 8, max_length = 64, pattern = "^[A-Za-z0-9-]+$")),
    request_body = ContactRequest,
    responses((status = 201, description = "The accepted inquiry.", body = ContactTaken))
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

/// An uploaded picture.
#[derive(Serialize, ToSchema)]
pub(crate) struct PictureTaken {
    /// Id of the picture, for the inquiry.
    #[schema(format = Uuid)]
    picture: String,
}

/// Uploads a picture for an inquiry. It is deleted after an hour if no inquiry uses it.
///
/// The body is the picture, at most 5 MiB. Its format is detected from the content, not from `Content-Type`.
#[utoipa::path(
    post,
    path = "/api/desk/contact/picture/",
    operation_id = "contactPicture",
    tag = "desk",
    request_body(content(("image/png"), ("image/jpeg"), ("image/webp"))),
    responses((status = 201, description = "The id of the picture.", body = PictureTaken))
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
