//! `commerce.v1.OrderService`.

use futures_util::StreamExt as _;
use futures_util::stream::{self, BoxStream};
use kit::caller::CallerOf as _;
use kit::timestamp::to_timestamp;
use proto::commerce as wire;
use proto::commerce::order_service_server::OrderService;
use time::OffsetDateTime;
use tonic::{Request, Response, Status};

use super::export::Part;
use super::{Commerce, account, commit, encode_count, order_change, parse_id, parse_page};
use crate::buyer::Buyer;
use crate::config::Issuer;
use crate::confirmation;
use crate::error::Error;
use crate::order::{self, Line, Order, State};
use crate::owned_courses::OwnedCourses;
use crate::payment::{self, LastPayment, Method};
use crate::receipt::{self, Addressee, Receipt};
use crate::refund::{self, Refund};
use crate::tax;

#[tonic::async_trait]
impl OrderService for Commerce {
    async fn get_confirmation(
        &self,
        request: Request<wire::GetConfirmationRequest>,
    ) -> Result<Response<wire::GetConfirmationResponse>, Status> {
        let account = account(&request)?;
        let buyer = Buyer::from_wire(request.into_inner().buyer)?;
        let owned = OwnedCourses::find(&self.lms, &buyer.learner_ids()).await?;
        let mut connection = self.acquire().await?;
        if order::find_open_order(&mut connection, account).await.map_err(Error::from)?.is_some() {
            return Err(Error::OrderOpen.into());
        }
        let confirmation =
            confirmation::render(&mut connection, account, &buyer, &owned, self.clock.now()).await?;
        let confirmation = encode_confirmation(confirmation.document, &confirmation.digest);
        Ok(Response::new(wire::GetConfirmationResponse { confirmation: Some(confirmation) }))
    }

    async fn place_order(
        &self,
        request: Request<wire::PlaceOrderRequest>,
    ) -> Result<Response<wire::PlaceOrderResponse>, Status> {
        let account = account(&request)?;
        let order = order_change::place(self, account, request.into_inner()).await?;
        Ok(Response::new(wire::PlaceOrderResponse { order: Some(encode(order, self.clock.now())) }))
    }

    async fn list_orders(
        &self,
        request: Request<wire::ListOrdersRequest>,
    ) -> Result<Response<wire::ListOrdersResponse>, Status> {
        let account = account(&request)?;
        let page = parse_page(request.into_inner().page, order::PAGE_SIZE)?;
        let mut connection = self.acquire().await?;
        let (rows, orders) = order::list_page(&mut connection, account, page).await.map_err(Error::from)?;
        let now = self.clock.now();
        Ok(Response::new(wire::ListOrdersResponse {
            count: encode_count(page, rows)?,
            orders: orders.into_iter().map(|order| encode(order, now)).collect(),
        }))
    }

    async fn get_order(
        &self,
        request: Request<wire::GetOrderRequest>,
    ) -> Result<Response<wire::GetOrderResponse>, Status> {
        let account = account(&request)?;
        let id = parse_id(&request.into_inner().order_id)?;
        let mut connection = self.acquire().await?;
        let order = order::find_order(&mut connection, account, id)
            .await
            .map_err(Error::from)?
            .ok_or(Error::NotFound)?;
        Ok(Response::new(wire::GetOrderResponse { order: Some(encode(order, self.clock.now())) }))
    }

    async fn check_order(
        &self,
        request: Request<wire::CheckOrderRequest>,
    ) -> Result<Response<wire::CheckOrderResponse>, Status> {
        let account = account(&request)?;
        let id = parse_id(&request.into_inner().order_id)?;
        let order = order_change::check(self, account, id).await?;
        Ok(Response::new(wire::CheckOrderResponse { order: Some(encode(order, self.clock.now())) }))
    }

    async fn pay_order(
        &self,
        request: Request<wire::PayOrderRequest>,
    ) -> Result<Response<wire::PayOrderResponse>, Status> {
        let account = account(&request)?;
        let id = parse_id(&request.into_inner().order_id)?;
        let order = order_change::pay(self, account, id).await?;
        Ok(Response::new(wire::PayOrderResponse { order: Some(encode(order, self.clock.now())) }))
    }

    async fn cancel_order(
        &self,
        request: Request<wire::CancelOrderRequest>,
    ) -> Result<Response<wire::CancelOrderResponse>, Status> {
        let account = account(&request)?;
        let id = parse_id(&request.into_inner().order_id)?;
        let order = order_change::cancel(self, account, id).await?;
        Ok(Response::new(wire::CancelOrderResponse { order: Some(encode(order, self.clock.now())) }))
    }

    async fn get_receipt(
        &self,
        request: Request<wire::GetReceiptRequest>,
    ) -> Result<Response<wire::GetReceiptResponse>, Status> {
        let account = account(&request)?;
        let id = parse_id(&request.into_inner().order_id)?;
        let mut connection = self.acquire().await?;
        let receipt = receipt::find_receipt(&mut connection, account, id)
            .await
            .map_err(Error::from)?
            .ok_or(Error::NotFound)?;
        let receipt = encode_receipt(receipt, &self.issuer);
        Ok(Response::new(wire::GetReceiptResponse { receipt: Some(receipt) }))
    }

    async fn issue_receipt(
        &self,
        request: Request<wire::IssueReceiptRequest>,
    ) -> Result<Response<wire::IssueReceiptResponse>, Status> {
        let account = account(&request)?;
        let request = request.into_inner();
        let id = parse_id(&request.order_id)?;
        let addressee = Addressee::parse(&request.addressee).map_err(Error::from)?;
        let mut transaction = self.begin().await?;
        receipt::issue_receipt(&mut transaction, account, id, &addressee, self.clock.now())
            .await
            .map_err(Error::from)?;
        let receipt = receipt::find_receipt(&mut transaction, account, id)
            .await
            .map_err(Error::from)?
            .ok_or(Error::NotFound)?;
        commit(transaction).await?;
        let receipt = encode_receipt(receipt, &self.issuer);
        Ok(Response::new(wire::IssueReceiptResponse { receipt: Some(receipt) }))
    }

    type ExportPurchasesStream = BoxStream<'static, Result<wire::ExportPurchasesResponse, Status>>;

    async fn export_purchases(
        &self,
        request: Request<wire::ExportPurchasesRequest>,
    ) -> Result<Response<Self::ExportPurchasesStream>, Status> {
        let account = request.caller()?.account()?;
        let commerce = self.clone();
        let parts = stream::try_unfold(Some(Part::FIRST), move |part| {
            let commerce = commerce.clone();
            async move {
                let Some(part) = part else { return Ok(None) };
                // Each part takes its own connection, so a slow reader holds none.
                let mut connection = commerce.acquire().await?;
                let read = part.read(&mut connection, account, commerce.clock.now()).await;
                Ok::<_, Status>(Some(read.map_err(Error::from)?))
            }
        });
        Ok(Response::new(parts.boxed()))
    }
}

pub(super) fn encode(order: Order, now: OffsetDateTime) -> wire::Order {
    let state = match order.state {
        State::AwaitingPayment => wire::OrderState::AwaitingPayment,
        State::Paid => wire::OrderState::Paid,
        State::Fulfilled => wire::OrderState::Fulfilled,
        State::Expired => wire::OrderState::Expired,
        State::Cancelled => wire::OrderState::Cancelled,
    };
    wire::Order {
        id: order.id.to_string(),
        number: order.number,
        state: state.into(),
        lines: order.lines.into_iter().map(encode_line).collect(),
        total: order.total,
        tax: order.tax,
        placed_at: Some(to_timestamp(order.placed_at)),
        due_at: Some(to_timestamp(order.due_at)),
        paid_at: order.paid_at.map(to_timestamp),
        ended_at: order.ended_at.map(to_timestamp),
        payment: Some(encode_payment(order.payment, order.state, now)),
        confirmation: order.confirmation.map(|stored| encode_confirmation(stored.document, &stored.digest)),
        refunds: order.refunds.iter().map(encode_refund).collect(),
    }
}

fn encode_confirmation(document: Vec<u8>, digest: &[u8]) -> wire::Confirmation {
    wire::Confirmation { document, digest: hex::encode(digest) }
}

fn encode_line(line: Line) -> wire::OrderLine {
    wire::OrderLine {
        product_id: line.product,
        name: line.name,
        price: line.price,
        period_days: line.period_days,
        course_id: line.course,
        learner_id: line.learner.to_string(),
        learner_name: line.learner_name,
    }
}

fn encode_payment(payment: LastPayment, order: State, now: OffsetDateTime) -> wire::Payment {
    let page_url = payment.open_page(now).filter(|_| order == State::AwaitingPayment);
    wire::Payment {
        method: encode_method(payment.method).into(),
        state: encode_payment_state(payment.state).into(),
        page_url: page_url.map(str::to_owned),
        decline_code: payment.decline_code,
    }
}

pub(super) fn encode_payment_state(state: payment::State) -> wire::PaymentState {
    match state {
        payment::State::Created | payment::State::Unknown => wire::PaymentState::Unknown,
        payment::State::RequiresAction => wire::PaymentState::RequiresAction,
        payment::State::Succeeded => wire::PaymentState::Succeeded,
        payment::State::Failed => wire::PaymentState::Failed,
        payment::State::Cancelled => wire::PaymentState::Cancelled,
        payment::State::Expired => wire::PaymentState::Expired,
    }
}

pub(super) fn encode_method(method: Method) -> wire::PaymentMethod {
    match method {
        Method::Card => wire::PaymentMethod::Card,
    }
}

fn encode_refund(refund: &Refund) -> wire::Refund {
    let state = match refund.state {
        refund::State::Requested | refund::State::Pending => wire::RefundState::Pending,
        refund::State::Succeeded => wire::RefundState::Succeeded,
        refund::State::Failed => wire::RefundState::Failed,
    };
    wire::Refund {
        amount: refund.amount,
        state: state.into(),
        requested_at: Some(to_timestamp(refund.requested_at)),
    }
}

fn encode_receipt(receipt: Receipt, issuer: &Issuer) -> wire::Receipt {
    wire::Receipt {
        number: receipt.number(),
        order_number: receipt.order_number,
        addressee: receipt.addressee,
        issues: receipt.issues.unsigned_abs(),
        issued_at: receipt.issued_at.map(to_timestamp),
        paid_at: Some(to_timestamp(receipt.paid_at)),
        lines: receipt.lines.into_iter().map(encode_line).collect(),
        total: receipt.total,
        tax: receipt.tax,
        tax_rate: tax::RATE.unsigned_abs(),
        issuer: issuer.name.clone(),
        issuer_number: issuer.number.clone(),
        method: encode_method(receipt.method).into(),
    }
}
