//! The caller's profile.

use axum::extract::State;
use axum::response::Response;
use proto::auth;
use utoipa::ToSchema;

use super::user::User;
use super::{MAX_TEXT, incomplete};
use crate::Edge;
use crate::answer::json;
use crate::error::Error;
use crate::input::{Fields, Form, JsonBody};
use crate::session::Caller;

/// A complete profile.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProfileRequest {
    /// 姓, as typed.
    #[schema(min_length = 1, max_length = 254)]
    last_name: String,
    /// 名, as typed.
    #[schema(min_length = 1, max_length = 254)]
    first_name: String,
    /// セイ
    #[schema(min_length = 1, max_length = 254)]
    last_name_kana: String,
    /// メイ
    #[schema(min_length = 1, max_length = 254)]
    first_name_kana: String,
    #[schema(format = Date)]
    birth_date: String,
    /// 小1 to 高3, or 既卒; null: computed from the birth date.
    #[schema(required, example = "高1")]
    school_year: Option<String>,
    /// May be empty.
    #[schema(max_length = 254)]
    school_name: String,
    /// Whether newsletters may be sent by email.
    news: bool,
}

impl Form for ProfileRequest {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        let (last_name, first_name) =
            (fields.text("last_name", MAX_TEXT), fields.text("first_name", MAX_TEXT));
        let last_name_kana = fields.text("last_name_kana", MAX_TEXT);
        let first_name_kana = fields.text("first_name_kana", MAX_TEXT);
        let birth_date = fields.text("birth_date", MAX_TEXT);
        let school_year = fields.optional("school_year", MAX_TEXT);
        let (school_name, news) = (fields.text_or_empty("school_name", MAX_TEXT), fields.flag("news"));
        Some(Self {
            last_name: last_name?,
            first_name: first_name?,
            last_name_kana: last_name_kana?,
            first_name_kana: first_name_kana?,
            birth_date: birth_date?,
            school_year: school_year?,
            school_name: school_name?,
            news: news?,
        })
    }
}

/// Replaces the caller's profile.
///
/// 429 `RATE_LIMITED` after too many changes of the birth date; nothing is stored then.
#[utoipa::path(
    put,
    path = "/api/accounts/profile/",
    operation_id = "set_profile",
    tag = "accounts",
    request_body = ProfileRequest,
    responses((status = 200, description = "The updated account.", body = User))
)]
pub(crate) async fn set_profile(
    State(edge): State<Edge>,
    caller: Caller,
    JsonBody(form): JsonBody<ProfileRequest>,
) -> Result<Response, Error> {
    let request = auth::PutProfileRequest {
        user_id: caller.user().to_string(),
        last_name: form.last_name,
        first_name: form.first_name,
        last_name_kana: form.last_name_kana,
        first_name_kana: form.first_name_kana,
        birth_date: form.birth_date,
        school_year: form.school_year,
        school_name: form.school_name,
        news: form.news,
    };
    let user = edge.profiles(&caller).put_profile(request).await?.into_inner().user;
    Ok(json(&User::new(user.ok_or_else(|| incomplete("user"))?)?))
}
