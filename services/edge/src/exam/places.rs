//! Prices of the seats of sold exams, and the number of seats left, from commerce.

use std::collections::BTreeMap;

use proto::commerce as wire;
use proto::exam::Exam;

use crate::Edge;

/// The product of a seat.
pub(super) struct Place {
    /// Whole yen, tax included.
    pub(super) price: i32,
    left: Option<u32>,
}

impl Place {
    /// Returns how many seats are left.
    pub(super) fn seats_left(&self) -> Option<i64> {
        self.left.map(i64::from)
    }
}

/// Seats on sale, by product.
#[derive(Default)]
pub(super) struct Places(BTreeMap<i64, Place>);

impl Places {
    /// Fetches the seats of exams from commerce, if one of the exams is sold. While commerce does not answer,
    /// exams are shown without prices.
    pub(super) async fn fetch(edge: &Edge, exams: &[Exam]) -> Self {
        if exams.iter().all(|exam| exam.product_id.is_none()) {
            return Self::default();
        }
        match Self::fetch_all(edge).await {
            Ok(places) => places,
            Err(error) => {
                tracing::warn!(%error, "exams are shown without prices");
                Self::default()
            }
        }
    }

    /// Fetches all pages. Few exams are on sale at a time, so one page is usual.
    async fn fetch_all(edge: &Edge) -> Result<Self, tonic::Status> {
        let mut places = BTreeMap::new();
        for page in 1.. {
            let kinds = vec![wire::ProductKind::ExamSeat.into()];
            let request = wire::ListProductsRequest { page, kinds, course_ids: Vec::new() };
            let listed = edge.products().list_products(request).await?.into_inner();
            let is_last = listed.products.is_empty();
            places.extend(
                listed
                    .products
                    .into_iter()
                    .map(|product| (product.id, Place { price: product.price, left: product.places_left })),
            );
            if is_last || places.len() >= listed.count as usize {
                break;
            }
        }
        Ok(Self(places))
    }

    /// Finds the seat that a product grants. Returns `None` if it is not on sale.
    pub(super) fn find(&self, product: i64) -> Option<&Place> {
        self.0.get(&product)
    }
}
