//! The cache of offers: prices of courses, at most ten seconds old. The catalogue shows them without a call
//! of commerce for each page. While commerce does not answer, the last offers are shown.

use std::collections::BTreeMap;
use std::sync::Arc;

use kit::client::Channel;
use kit::clock::Clock;
use proto::commerce as wire;
use proto::commerce::product_service_client::ProductServiceClient;
use serde::Serialize;
use time::{Duration, OffsetDateTime};
use tokio::sync::Mutex;
use tokio::time::timeout;
use utoipa::ToSchema;

use crate::error::Error;
use crate::timestamp::parse_optional_timestamp;

/// Age at which the offers are fetched again.
const FRESH_FOR: Duration = Duration::seconds(10);
/// Pause after a failed call.
const RETRY_DELAY: Duration = Duration::seconds(2);
/// Deadline of a call while there are older offers to show.
const CALL_TIMEOUT: std::time::Duration = std::time::Duration::from_secs(1);

/// The current offer of a course.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct Offer {
    /// Id of the product to buy.
    #[schema(example = 1101)]
    pub(crate) id: i64,
    /// Whole yen, tax included.
    #[schema(minimum = 1, example = 13200)]
    pub(crate) price: i32,
    /// Days of access; null: no end.
    #[schema(required, example = 365)]
    pub(crate) period_days: Option<i32>,
    /// End of the sale; null: not planned.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    pub(crate) sale_ends_at: Option<OffsetDateTime>,
}

/// The offers at one point in time, without those whose sale has ended.
pub(crate) struct OnSale {
    offers: Arc<BTreeMap<i64, Offer>>,
    now: OffsetDateTime,
}

impl OnSale {
    /// Returns the offer of this course; `None` if it is not on sale.
    pub(crate) fn find_offer(&self, course: i64) -> Option<&Offer> {
        self.offers.get(&course).filter(|offer| self.is_on_sale(offer))
    }

    /// Returns the prices in yen, by course.
    pub(crate) fn prices(&self) -> impl Iterator<Item = (i64, i32)> {
        let on_sale = self.offers.iter().filter(|(_, offer)| self.is_on_sale(offer));
        on_sale.map(|(course, offer)| (*course, offer.price))
    }

    fn is_on_sale(&self, offer: &Offer) -> bool {
        offer.sale_ends_at.is_none_or(|end| self.now < end)
    }
}

/// The cache of offers.
pub(crate) struct Offers {
    commerce: ProductServiceClient<Channel>,
    clock: Clock,
    /// Locked during a call of commerce, so concurrent requests share its answer.
    cached: Mutex<CachedOffers>,
}

#[derive(Default)]
struct CachedOffers {
    last: Option<(OffsetDateTime, Arc<BTreeMap<i64, Offer>>)>,
    failed_at: Option<OffsetDateTime>,
}

impl Offers {
    /// Creates an empty cache.
    pub(crate) fn new(commerce: ProductServiceClient<Channel>, clock: Clock) -> Self {
        Self { commerce, clock, cached: Mutex::default() }
    }

    /// Returns the offers on sale now. Fails if commerce does not answer and no offers are cached.
    pub(crate) async fn now(&self) -> Result<OnSale, Error> {
        let mut cached = self.cached.lock().await;
        let now = self.clock.now();
        let is_within = |since: OffsetDateTime, limit| (Duration::ZERO..limit).contains(&(now - since));
        if let Some((fetched_at, offers)) = &cached.last {
            let failed_recently = cached.failed_at.is_some_and(|failed_at| is_within(failed_at, RETRY_DELAY));
            if failed_recently || is_within(*fetched_at, FRESH_FOR) {
                return Ok(OnSale { offers: offers.clone(), now });
            }
        }
        match self.fetch(cached.last.is_some()).await {
            Ok(offers) => {
                let offers = Arc::new(offers);
                *cached = CachedOffers { last: Some((now, offers.clone())), failed_at: None };
                Ok(OnSale { offers, now })
            }
            Err(error) => {
                cached.failed_at = Some(now);
                let Some((_, offers)) = &cached.last else { return Err(error) };
                Ok(OnSale { offers: offers.clone(), now })
            }
        }
    }

    async fn fetch(&self, has_last: bool) -> Result<BTreeMap<i64, Offer>, Error> {
        let mut commerce = self.commerce.clone();
        let fetching = commerce.list_offers(wire::ListOffersRequest {});
        let answer = if has_last {
            timeout(CALL_TIMEOUT, fetching)
                .await
                .unwrap_or_else(|_| Err(tonic::Status::unavailable("no answer in time")))
        } else {
            fetching.await
        };
        answer?.into_inner().offers.into_iter().map(from_proto).collect()
    }
}

fn from_proto(offer: wire::Offer) -> Result<(i64, Offer), Error> {
    let sale_ends_at = parse_optional_timestamp(offer.sale_ends_at)?;
    let product =
        Offer { id: offer.product_id, price: offer.price, period_days: offer.period_days, sale_ends_at };
    Ok((offer.course_id, product))
}
