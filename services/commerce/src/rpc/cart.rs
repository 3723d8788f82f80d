//! `commerce.v1.CartService`.

use kit::caller::CallerOf as _;
use kit::error::{FieldError, chain};
use kit::timestamp::to_timestamp;
use proto::commerce as wire;
use proto::commerce::cart_service_server::CartService;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tonic::{Request, Response, Status};
use uuid::Uuid;

use super::coupon_problem::encode_problem;
use super::{Commerce, account, commit, parse_id, product};
use crate::buyer::Buyer;
use crate::cart::{self, Line, Problem};
use crate::coupon::quote::{self, PricedLine, QuotedCoupon};
use crate::coupon::{self, AccountCoupon};
use crate::erased_account;
use crate::error::Error;
use crate::guardian_request::{self, Guardian};
use crate::order::{self, OpenOrder};
use crate::owned_courses::OwnedCourses;

#[tonic::async_trait]
impl CartService for Commerce {
    async fn get_cart(
        &self,
        request: Request<wire::GetCartRequest>,
    ) -> Result<Response<wire::GetCartResponse>, Status> {
        let account = account(&request)?;
        let buyer = Buyer::from_wire(request.into_inner().buyer)?;
        let cart = read_cart(&mut *self.acquire().await?, account).await?;
        let cart = self.encode_cart(cart, &buyer).await;
        Ok(Response::new(wire::GetCartResponse { cart: Some(cart) }))
    }

    async fn add_line(
        &self,
        request: Request<wire::AddLineRequest>,
    ) -> Result<Response<wire::AddLineResponse>, Status> {
        let account = account(&request)?;
        let request = request.into_inner();
        let mut buyer = Buyer::from_wire(request.buyer)?;
        let now = self.clock.now();
        let mut transaction = self.begin_for(account, &mut buyer).await?;
        let first = buyer.first_learner()?;
        let learner = match request.learner_id.as_str() {
            "" => first,
            id => buyer.choose_learner(id)?,
        };
        let product = crate::product::find_product(&mut transaction, request.product_id, now)
            .await
            .map_err(Error::from)?
            .ok_or(Error::NotFound)?;
        cart::add_line(&mut transaction, account, product.id, learner, now).await?;
        let cart = read_cart(&mut transaction, account).await?;
        commit(transaction).await?;
        let cart = self.encode_cart(cart, &buyer).await;
        Ok(Response::new(wire::AddLineResponse { cart: Some(cart) }))
    }

    async fn remove_line(
        &self,
        request: Request<wire::RemoveLineRequest>,
    ) -> Result<Response<wire::RemoveLineResponse>, Status> {
        let account = account(&request)?;
        let request = request.into_inner();
        let buyer = Buyer::from_wire(request.buyer)?;
        let line = parse_id(&request.line_id)?;
        let mut transaction = self.begin().await?;
        cart::remove_line(&mut transaction, account, line).await?;
        let cart = read_cart(&mut transaction, account).await?;
        commit(transaction).await?;
        let cart = self.encode_cart(cart, &buyer).await;
        Ok(Response::new(wire::RemoveLineResponse { cart: Some(cart) }))
    }

    async fn assign_line(
        &self,
        request: Request<wire::AssignLineRequest>,
    ) -> Result<Response<wire::AssignLineResponse>, Status> {
        let account = account(&request)?;
        let request = request.into_inner();
        let mut buyer = Buyer::from_wire(request.buyer)?;
        let line = parse_id(&request.line_id)?;
        let mut transaction = self.begin_for(account, &mut buyer).await?;
        let learner = buyer.choose_learner(&request.learner_id)?;
        cart::assign_line(&mut transaction, account, line, learner, self.clock.now()).await?;
        let cart = read_cart(&mut transaction, account).await?;
        commit(transaction).await?;
        let cart = self.encode_cart(cart, &buyer).await;
        Ok(Response::new(wire::AssignLineResponse { cart: Some(cart) }))
    }

    async fn join_cart(
        &self,
        request: Request<wire::JoinCartRequest>,
    ) -> Result<Response<wire::JoinCartResponse>, Status> {
        let account = account(&request)?;
        let request = request.into_inner();
        let mut buyer = Buyer::from_wire(request.buyer)?;
        if request.product_ids.len() > cart::LINES_LIMIT {
            return Err(Error::Field(FieldError::new("product_ids", "TOO_LONG")).into());
        }
        let mut transaction = self.begin_for(account, &mut buyer).await?;
        let learner = buyer.first_learner()?;
        cart::join(&mut transaction, account, &request.product_ids, learner, self.clock.now())
            .await
            .map_err(Error::from)?;
        let cart = read_cart(&mut transaction, account).await?;
        commit(transaction).await?;
        let cart = self.encode_cart(cart, &buyer).await;
        Ok(Response::new(wire::JoinCartResponse { cart: Some(cart) }))
    }

    async fn ask_guardians(
        &self,
        request: Request<wire::AskGuardiansRequest>,
    ) -> Result<Response<wire::AskGuardiansResponse>, Status> {
        let account = request.caller()?.learner()?;
        let request = request.into_inner();
        let buyer = Buyer::from_wire(request.buyer)?;
        let learner = buyer.find_learner(account).ok_or(Error::NoLearner)?;
        let mut guardians = Guardian::list_from_wire(request.guardians)?;
        let owned = self.find_courses_of(&[account]).await;
        let now = self.clock.now();
        let mut transaction = self.begin().await?;
        let ids = guardians.iter().map(|guardian| guardian.id).collect();
        let erased = erased_account::admit_others(&mut transaction, account, ids).await?;
        guardians.retain(|guardian| !erased.contains(&guardian.id));
        guardian_request::lock_carts(&mut transaction, account, &guardians).await.map_err(Error::from)?;
        let mut lines = cart::list_lines(&mut transaction, account).await.map_err(Error::from)?;
        lines.retain(|line| {
            let problem = line.problem(&buyer, owned.as_ref(), now);
            line.learner == account
                && !line.is_ordered
                && problem.is_none_or(|problem| problem == Problem::ConsentMissing)
        });
        let outbox = self.settlement.outbox();
        guardian_request::ask(&mut transaction, outbox, learner, &guardians, &lines, now).await?;
        commit(transaction).await?;
        outbox.wake();
        Ok(Response::new(wire::AskGuardiansResponse {
            asked: u32::try_from(guardians.len()).unwrap_or(u32::MAX),
            asked_at: Some(to_timestamp(now)),
        }))
    }
}

/// A cart as stored in the database.
pub(super) struct StoredCart {
    lines: Vec<Line>,
    /// The coupons on it.
    coupons: Vec<AccountCoupon>,
    open_order: Option<OpenOrder>,
    /// When the account last asked its guardians to pay.
    asked_at: Option<OffsetDateTime>,
}

pub(super) async fn read_cart(connection: &mut PgConnection, account: Uuid) -> Result<StoredCart, Error> {
    let open_order = order::find_open_order(connection, account).await?;
    let coupons = coupon::list_applied(connection, account).await?;
    let asked_at = guardian_request::find_asked_at(connection, account).await?;
    Ok(StoredCart { lines: cart::list_lines(connection, account).await?, coupons, open_order, asked_at })
}

impl Commerce {
    /// Encodes a cart with the problems of its lines. If lms does not answer, owned courses are not
    /// marked.
    pub(super) async fn encode_cart(&self, cart: StoredCart, buyer: &Buyer) -> wire::Cart {
        let owned = self.find_owned(&cart.lines, buyer).await;
        encode(cart, buyer, owned.as_ref(), self.clock.now())
    }

    /// Finds which courses the learners of a cart own, or `None` if lms does not answer.
    pub(super) async fn find_owned(&self, lines: &[Line], buyer: &Buyer) -> Option<OwnedCourses> {
        let mut learners: Vec<Uuid> = lines.iter().map(|line| line.learner).collect();
        learners.retain(|learner| buyer.find_learner(*learner).is_some());
        learners.sort_unstable();
        learners.dedup();
        self.find_courses_of(&learners).await
    }

    /// Finds which courses the learners own, or `None` if lms does not answer.
    async fn find_courses_of(&self, learners: &[Uuid]) -> Option<OwnedCourses> {
        let owned = OwnedCourses::find(&self.lms, learners).await;
        owned
            .inspect_err(|error| {
                tracing::warn!(error = chain(error), "the cart is read without the owned courses");
            })
            .ok()
    }
}

/// Whether a line can be bought now, and belongs to no open order.
pub(super) fn can_be_bought(
    line: &Line,
    buyer: &Buyer,
    owned: Option<&OwnedCourses>,
    now: OffsetDateTime,
) -> bool {
    !line.is_ordered && line.problem(buyer, owned, now).is_none()
}

fn encode(cart: StoredCart, buyer: &Buyer, owned: Option<&OwnedCourses>, now: OffsetDateTime) -> wire::Cart {
    let priced = cart.lines.iter().filter(|line| can_be_bought(line, buyer, owned, now));
    let priced: Vec<PricedLine> = priced.map(PricedLine::from).collect();
    let quote = quote::quote(&cart.coupons, &priced, now);
    // At most 20 lines of at most 1,000,000 yen.
    let subtotal: i32 = priced.iter().map(|line| line.price).sum();
    wire::Cart {
        lines: cart.lines.into_iter().map(|line| encode_line(line, buyer, owned, now)).collect(),
        subtotal,
        discount: quote.discount,
        total: subtotal - quote.discount,
        coupons: quote.coupons.into_iter().map(encode_coupon).collect(),
        asked_at: cart.asked_at.map(to_timestamp),
        open_order: cart.open_order.map(|order| wire::OpenOrder {
            id: order.id.to_string(),
            number: order.number,
            total: order.total,
            due_at: Some(to_timestamp(order.due_at)),
        }),
    }
}

fn encode_coupon(coupon: QuotedCoupon) -> wire::CartCoupon {
    wire::CartCoupon {
        id: coupon.id,
        name: coupon.name,
        amount: coupon.amount,
        problem: encode_problem(coupon.problem).into(),
    }
}

fn encode_line(
    line: Line,
    buyer: &Buyer,
    owned: Option<&OwnedCourses>,
    now: OffsetDateTime,
) -> wire::CartLine {
    let problem = match line.problem(buyer, owned, now) {
        None => wire::LineProblem::Unspecified,
        Some(Problem::Owned) => wire::LineProblem::Owned,
        Some(Problem::NotOnSale) => wire::LineProblem::NotOnSale,
        Some(Problem::ConsentMissing) => wire::LineProblem::ConsentMissing,
        Some(Problem::NotLinked) => wire::LineProblem::NotLinked,
        Some(Problem::NotOffered) => wire::LineProblem::NotOffered,
        Some(Problem::SoldOut) => wire::LineProblem::SoldOut,
        Some(Problem::OrderedElsewhere) => wire::LineProblem::OrderedElsewhere,
    };
    wire::CartLine {
        id: line.id.to_string(),
        learner_id: line.learner.to_string(),
        learner_name: buyer
            .find_learner(line.learner)
            .map_or_else(String::new, |learner| learner.name.clone()),
        problem: problem.into(),
        added_at: Some(to_timestamp(line.added_at)),
        is_ordered: line.is_ordered,
        asked_by: line
            .asked_by
            .and_then(|learner| buyer.find_learner(learner))
            .map(|learner| wire::Asker { id: learner.id.to_string(), name: learner.name.clone() }),
        product: Some(product::encode(line.product, line.places_left, now)),
    }
}
