//! `commerce.v1.ProductService`.

use kit::error::FieldError;
use kit::page::Page;
use kit::timestamp::to_timestamp;
use proto::commerce as wire;
use proto::commerce::product_service_server::ProductService;
use time::OffsetDateTime;
use tonic::{Request, Response, Status};

use super::Commerce;
use crate::error::Error;
use crate::product::{self, Kind, Offer, Product};
use crate::seat::TakenPlaces;

/// The maximum number of courses in a filter.
const COURSES_LIMIT: usize = 100;

#[tonic::async_trait]
impl ProductService for Commerce {
    async fn list_products(
        &self,
        request: Request<wire::ListProductsRequest>,
    ) -> Result<Response<wire::ListProductsResponse>, Status> {
        let request = request.into_inner();
        let page = Page::parse(request.page, product::PAGE_SIZE)?;
        let kinds = decode_kinds(&request.kinds)?;
        if request.course_ids.len() > COURSES_LIMIT {
            return Err(Error::Field(FieldError::new("course_ids", "TOO_LONG")).into());
        }
        let now = self.clock.now();
        let mut connection = self.acquire().await?;
        let (count, products) = product::list_page(&mut connection, page, &kinds, &request.course_ids, now)
            .await
            .map_err(Error::from)?;
        let taken = TakenPlaces::count(&mut connection, &products).await.map_err(Error::from)?;
        let encode = |product: Product| {
            let places_left = taken.left(&product);
            encode(product, places_left, now)
        };
        Ok(Response::new(wire::ListProductsResponse {
            count: page.encode_count(count).ok_or(Error::NotFound)?,
            products: products.into_iter().map(encode).collect(),
        }))
    }

    async fn get_product(
        &self,
        request: Request<wire::GetProductRequest>,
    ) -> Result<Response<wire::GetProductResponse>, Status> {
        let now = self.clock.now();
        let mut connection = self.acquire().await?;
        let found = product::find_product(&mut connection, request.into_inner().id, now)
            .await
            .map_err(Error::from)?;
        let product = found.ok_or(Error::NotFound)?;
        let taken = TakenPlaces::count(&mut connection, [&product]).await.map_err(Error::from)?;
        let places_left = taken.left(&product);
        Ok(Response::new(wire::GetProductResponse { product: Some(encode(product, places_left, now)) }))
    }

    async fn list_offers(
        &self,
        _: Request<wire::ListOffersRequest>,
    ) -> Result<Response<wire::ListOffersResponse>, Status> {
        let mut connection = self.acquire().await?;
        let offers = product::list_offers(&mut connection, self.clock.now()).await.map_err(Error::from)?;
        Ok(Response::new(wire::ListOffersResponse { offers: offers.iter().map(encode_offer).collect() }))
    }
}

/// Decodes a filter by kind. An empty filter means all kinds.
fn decode_kinds(requested: &[i32]) -> Result<Vec<Kind>, Error> {
    if requested.is_empty() {
        return Ok(Kind::ALL.into());
    }
    let kind =
        |number: &i32| Kind::ALL.into_iter().find(|kind| wire::ProductKind::from(*kind) as i32 == *number);
    let kinds: Option<Vec<Kind>> = requested.iter().map(kind).collect();
    kinds.ok_or(Error::Field(FieldError::new("kinds", "UNKNOWN_CHOICE")))
}

/// Encodes a product, with the remaining places of an exam.
pub(super) fn encode(product: Product, places_left: Option<u32>, now: OffsetDateTime) -> wire::Product {
    wire::Product {
        id: product.id,
        kind: wire::ProductKind::from(product.kind).into(),
        is_on_sale: product.is_on_sale(now),
        name: product.name,
        summary: product.summary,
        description: product.description,
        price: product.price,
        period_days: product.period_days,
        course_id: product.course_id,
        sale_starts_at: Some(to_timestamp(product.sale_starts_at)),
        sale_ends_at: product.sale_ends_at.map(to_timestamp),
        exam_id: product.exam_id,
        places_left,
        application_closes_at: product.application_closes_at.map(to_timestamp),
    }
}

fn encode_offer(offer: &Offer) -> wire::Offer {
    wire::Offer {
        course_id: offer.course_id,
        product_id: offer.product_id,
        price: offer.price,
        period_days: offer.period_days,
        sale_ends_at: offer.sale_ends_at.map(to_timestamp),
    }
}
