//! What courses cost, as commerce said at most ten seconds ago: the catalogue shows it beside every course, and commerce is
//! not asked for every page of it. While commerce can't be reached, what it said last goes on.

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
use crate::moment;

/// Nothing older is shown while commerce answers.
const FRESH_FOR: Duration = Duration::seconds(10);
/// How long to leave commerce alone after it did not answer.
const REST: Duration = Duration::seconds(2);
/// How long a page waits for commerce where there is something to show instead.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(1);

/// What a course costs now.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct Offer {
    /// Of the product to buy.
    #[schema(example = 1101)]
    pub(crate) id: i64,
    /// Whole yen, tax included.
    #[schema(minimum = 1, example = 13200)]
    pub(crate) price: i32,
    /// For how many days the course may be used; null where there is no end.
    #[schema(required, example = 365)]
    pub(crate) period_days: Option<i32>,
    /// From when on the product is sold no more; null where no end is known.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    pub(crate) sale_ends_at: Option<OffsetDateTime>,
}

/// The offers as they were when they were asked for, without those whose sale has ended since.
pub(crate) struct OnSale {
    offers: Arc<BTreeMap<i64, Offer>>,
    now: OffsetDateTime,
}

impl OnSale {
    /// What this course costs; `None` where nobody can buy it now.
    pub(crate) fn of(&self, course: i64) -> Option<&Offer> {
        self.offers.get(&course).filter(|offer| self.is_on_sale(offer))
    }

    /// What courses cost: by course, whole yen.
    pub(crate) fn prices(&self) -> impl Iterator<Item = (i64, i32)> {
        let on_sale = self.offers.iter().filter(|(_, offer)| self.is_on_sale(offer));
        on_sale.map(|(course, offer)| (*course, offer.price))
    }

    fn is_on_sale(&self, offer: &Offer) -> bool {
        offer.sale_ends_at.is_none_or(|end| self.now < end)
    }
}

/// Keeps them.
pub(crate) struct Offers {
    commerce: ProductServiceClient<Channel>,
    clock: Clock,
    /// Held while commerce is asked: whoever comes meanwhile waits for the same answer.
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    last: Option<(OffsetDateTime, Arc<BTreeMap<i64, Offer>>)>,
    failed_at: Option<OffsetDateTime>,
}

impl Offers {
    /// None yet.
    pub(crate) fn new(commerce: ProductServiceClient<Channel>, clock: Clock) -> Self {
        Self { commerce, clock, kept: Mutex::default() }
    }

    /// What is on sale now. Fails where commerce never said so yet and does not now.
    pub(crate) async fn now(&self) -> Result<OnSale, Error> {
        let mut kept = self.kept.lock().await;
        let now = self.clock.now();
        let is_within = |since: OffsetDateTime, limit| (Duration::ZERO..limit).contains(&(now - since));
        if let Some((said_at, offers)) = &kept.last {
            let rests = kept.failed_at.is_some_and(|failed_at| is_within(failed_at, REST));
            if rests || is_within(*said_at, FRESH_FOR) {
                return Ok(OnSale { offers: offers.clone(), now });
            }
        }
        match self.ask(kept.last.is_some()).await {
            Ok(offers) => {
                let offers = Arc::new(offers);
                *kept = Kept { last: Some((now, offers.clone())), failed_at: None };
                Ok(OnSale { offers, now })
            }
            Err(error) => {
                kept.failed_at = Some(now);
                let Some((_, offers)) = &kept.last else { return Err(error) };
                Ok(OnSale { offers: offers.clone(), now })
            }
        }
    }

    async fn ask(&self, has_last: bool) -> Result<BTreeMap<i64, Offer>, Error> {
        let mut commerce = self.commerce.clone();
        let asking = commerce.list_offers(wire::ListOffersRequest {});
        let answer = if has_last {
            timeout(PATIENCE, asking)
                .await
                .unwrap_or_else(|_| Err(tonic::Status::unavailable("no answer in time")))
        } else {
            asking.await
        };
        answer?.into_inner().offers.into_iter().map(read).collect()
    }
}

fn read(offer: wire::Offer) -> Result<(i64, Offer), Error> {
    let sale_ends_at = moment::optional(offer.sale_ends_at)?;
    let product =
        Offer { id: offer.product_id, price: offer.price, period_days: offer.period_days, sale_ends_at };
    Ok((offer.course_id, product))
}
