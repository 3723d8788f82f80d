//! Postal codes.

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::response::Response;
use http::HeaderMap;
use proto::desk;
use serde::Serialize;
use utoipa::ToSchema;

use crate::Edge;
use crate::answer::public_json;
use crate::error::Error;

/// Postal codes change once a month.
const MAX_AGE: u32 = 24 * 60 * 60;

/// A town: the part of an address between postal code and house number.
#[derive(Serialize, ToSchema)]
#[expect(clippy::struct_field_names, reason = "the names of the API")]
pub(crate) struct Town {
    /// The requested postal code.
    #[schema(example = "1000001")]
    postal_code: String,
    /// 都道府県
    #[schema(example = "東京都")]
    prefecture: String,
    /// 市区町村
    #[schema(example = "千代田区")]
    city: String,
    /// 町域; may be empty.
    #[schema(example = "千代田")]
    town: String,
    /// In full-width katakana.
    #[schema(example = "トウキョウト")]
    prefecture_kana: String,
    /// In full-width katakana.
    #[schema(example = "チヨダク")]
    city_kana: String,
    /// In full-width katakana; may be empty.
    #[schema(example = "チヨダ")]
    town_kana: String,
}

/// Lists the towns of a postal code of seven digits. Empty for an unknown code.
#[utoipa::path(
    get,
    path = "/api/postal/{postal_code}/",
    operation_id = "postal_code",
    tag = "postal",
    params(("postal_code" = String, Path, example = "1000001")),
    responses((status = 200, description = "The towns with this code.", body = Vec<Town>), (status = 304, description = "Not modified: the `ETag` in `If-None-Match` is current."))
)]
pub(crate) async fn look_up(
    State(edge): State<Edge>,
    postal_code: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let Path(postal_code) = postal_code.map_err(|_| Error::field("postal_code", "INVALID_FORMAT"))?;
    let request = desk::LookUpRequest { postal_code: postal_code.clone() };
    let towns = edge.postal().look_up(request).await?.into_inner().towns;
    let town = |town: desk::Town| Town {
        postal_code: postal_code.clone(),
        prefecture: town.prefecture,
        city: town.city,
        town: town.town,
        prefecture_kana: town.prefecture_kana,
        city_kana: town.city_kana,
        town_kana: town.town_kana,
    };
    let towns: Vec<Town> = towns.into_iter().map(town).collect();
    let body = serde_json::to_vec(&towns).map_err(|error| {
        tracing::error!(%error, "towns could not be serialized");
        Error::Internal
    })?;
    Ok(public_json(&headers, MAX_AGE, body))
}
