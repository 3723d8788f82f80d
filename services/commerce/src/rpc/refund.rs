//! `commerce.v1.RefundService`.

use kit::error::FieldError;
use kit_db::idempotency::{self, Attempt, IdempotencyKey, IdempotentRequest};
use proto::commerce::refund_service_server::RefundService;
use proto::commerce::{self as wire, RefundRequested, RefundedItem};
use tonic::{Request, Response, Status};
use uuid::Uuid;

use super::order_message::encode_order;
use super::refund_message::{encode_invoice, encode_quote};
use super::{Commerce, account, commit, parse_id, return_invoice_pdf};
use crate::error::Error;
use crate::order::change::{self, LockedOrder};
use crate::order::refund_agreement::{self, Agreement};
use crate::order::{self, Order};
use crate::payment;
use crate::refund::quote::Rule;
use crate::refund::refundable::{self, RefundableOrder};
use crate::refund::{self, Reason, retry, return_invoice};

#[tonic::async_trait]
impl RefundService for Commerce {
    async fn get_refund_quote(
        &self,
        request: Request<wire::GetRefundQuoteRequest>,
    ) -> Result<Response<wire::GetRefundQuoteResponse>, Status> {
        let account = account(&request)?;
        let id = parse_id(&request.into_inner().order_id)?;
        let order = self.find_refundable(account, id).await?;
        let quote = encode_quote(&order, self.clock.now());
        Ok(Response::new(wire::GetRefundQuoteResponse { quote: Some(quote) }))
    }

    async fn request_refund(
        &self,
        request: Request<wire::RequestRefundRequest>,
    ) -> Result<Response<wire::RequestRefundResponse>, Status> {
        let account = account(&request)?;
        let order = self.request(account, &request.into_inner()).await?;
        Ok(Response::new(wire::RequestRefundResponse { order: Some(encode_order(order, self.clock.now())) }))
    }

    async fn get_return_invoice(
        &self,
        request: Request<wire::GetReturnInvoiceRequest>,
    ) -> Result<Response<wire::GetReturnInvoiceResponse>, Status> {
        let account = account(&request)?;
        let request = request.into_inner();
        let (order, refund) = (parse_id(&request.order_id)?, parse_id(&request.refund_id)?);
        let mut connection = self.acquire().await?;
        let invoice = return_invoice::find(&mut connection, account, order, refund)
            .await
            .map_err(Error::from)?
            .ok_or(Error::NotFound)?;
        let invoice = encode_invoice(invoice, &self.issuer);
        Ok(Response::new(wire::GetReturnInvoiceResponse { invoice: Some(invoice) }))
    }

    async fn get_return_invoice_pdf(
        &self,
        request: Request<wire::GetReturnInvoicePdfRequest>,
    ) -> Result<Response<wire::GetReturnInvoicePdfResponse>, Status> {
        let account = account(&request)?;
        let request = request.into_inner();
        let (order, refund) = (parse_id(&request.order_id)?, parse_id(&request.refund_id)?);
        Ok(Response::new(return_invoice_pdf::get(self, account, order, refund).await?))
    }

    async fn retry_refund(
        &self,
        request: Request<wire::RetryRefundRequest>,
    ) -> Result<Response<wire::RetryRefundResponse>, Status> {
        let account = account(&request)?;
        let request = request.into_inner();
        let (order, refund) = (parse_id(&request.order_id)?, parse_id(&request.refund_id)?);
        let order = self.retry(account, order, refund).await?;
        Ok(Response::new(wire::RetryRefundResponse { order: Some(encode_order(order, self.clock.now())) }))
    }
}

/// A buyer's request for a refund.
struct RefundInput {
    order: Uuid,
    /// The SHA-256 of the figures that the buyer saw.
    digest: [u8; 32],
    /// The numbers of the lines, without duplicates.
    lines: Vec<u32>,
}

impl RefundInput {
    fn parse(request: &wire::RequestRefundRequest) -> Result<Self, Error> {
        let invalid = |code| Error::Field(FieldError::new("quote_digest", code));
        let mut digest = [0; 32];
        let code = if request.quote_digest.is_empty() { "REQUIRED" } else { "INVALID_FORMAT" };
        hex::decode_to_slice(&request.quote_digest, &mut digest).map_err(|_| invalid(code))?;
        let mut lines = request.lines.clone();
        lines.sort_unstable();
        lines.dedup();
        if lines.is_empty() {
            return Err(Error::Field(FieldError::new("lines", "REQUIRED")));
        }
        Ok(Self { order: parse_id(&request.order_id)?, digest, lines })
    }

    /// The fields that determine the effect.
    fn body(&self) -> Vec<u8> {
        let mut body = self.digest.to_vec();
        body.extend(self.lines.iter().flat_map(|line| line.to_be_bytes()));
        body
    }
}

impl Commerce {
    /// Finds an order of the account, with its counts of opened lessons.
    async fn find_refundable(&self, account: Uuid, id: Uuid) -> Result<RefundableOrder, Error> {
        let found = refundable::find(&mut *self.acquire().await?, id).await?;
        let mut order = found.filter(|order| order.account == Some(account)).ok_or(Error::NotFound)?;
        order.count_lessons(&self.lms).await?;
        Ok(order)
    }

    /// Requests a failed refund to a bank account again. Repeating the call changes nothing.
    async fn retry(&self, account: Uuid, order: Uuid, refund: Uuid) -> Result<Order, Error> {
        let now = self.clock.now();
        let mut transaction = self.begin().await?;
        let locked = change::lock_order(&mut transaction, order).await?;
        locked.filter(|locked| locked.account == Some(account)).ok_or(Error::NotFound)?;
        let refunds = refund::list_refunds(&mut transaction, &[order]).await?;
        let failed = refunds.iter().find(|known| known.id == refund).ok_or(Error::NotFound)?;
        if failed.can_retry {
            retry::request_again(&mut transaction, order, refund, now).await?;
        } else if !failed.is_replaced {
            return Err(Error::NotRefundable);
        }
        commit(transaction).await?;
        self.settlement.wake_refunds();
        order::find_order(&mut *self.acquire().await?, account, order).await?.ok_or(Error::NotFound)
    }

    async fn request(&self, account: Uuid, request: &wire::RequestRefundRequest) -> Result<Order, Error> {
        let key = IdempotencyKey::parse(&request.idempotency_key)?;
        let input = RefundInput::parse(request)?;
        let scope = format!("refund {account} {}", input.order);
        let idempotent = IdempotentRequest::new(&self.keyed_hash, &scope, key, &input.body());
        let now = self.clock.now();
        let answer =
            idempotency::find_answer::<String>(&mut *self.acquire().await?, &idempotent, now).await?;
        if answer.is_none() {
            let counted = self.find_refundable(account, input.order).await?;
            self.store_refund(account, &input, &counted, &idempotent).await?;
        }
        order::find_order(&mut *self.acquire().await?, account, input.order).await?.ok_or(Error::NotFound)
    }

    /// Agrees on the refund if its figures match those that the buyer saw. Of two simultaneous
    /// requests, one wins: the order's row is locked, and the figures are computed again.
    async fn store_refund(
        &self,
        account: Uuid,
        input: &RefundInput,
        counted: &RefundableOrder,
        idempotent: &IdempotentRequest,
    ) -> Result<(), Error> {
        let now = self.clock.now();
        let mut transaction = self.begin().await?;
        let claim = match idempotency::claim::<String>(&mut transaction, idempotent, now).await? {
            Attempt::Answered(_) => return Ok(()),
            Attempt::First(claim) => claim,
        };
        let locked = change::lock_order(&mut transaction, input.order).await?.ok_or(Error::NotFound)?;
        if locked.account != Some(account) {
            return Err(Error::NotFound);
        }
        payment::lock_payment(&mut transaction, counted.payment).await?;
        let mut order = refundable::find(&mut transaction, input.order).await?.ok_or(Error::NotFound)?;
        order.set_lessons(counted);
        let quote = order.quote(now).ok_or(Error::NotRefundable)?;
        if quote.digest != input.digest {
            return Err(Error::QuoteChanged);
        }
        let mut lines = Vec::with_capacity(input.lines.len());
        for n in &input.lines {
            let line = quote.lines.iter().find(|line| u32::from(line.n.unsigned_abs()) == *n);
            let line = line.ok_or(Error::Field(FieldError::new("lines", "UNKNOWN_CHOICE")))?;
            if line.rule == Rule::None {
                return Err(Error::NotRefundable);
            }
            lines.push((line.n, line.amount));
        }
        let amount = lines.iter().map(|(_, amount)| amount).sum();
        let agreement = Agreement { reason: Reason::Buyer, amount, lines: &lines, provider_refund: None };
        let outbox = self.settlement.outbox();
        refund_agreement::agree(&mut transaction, outbox, &order, &agreement, now)
            .await?
            .ok_or(Error::NotRefundable)?;
        let event = requested(locked, &order, &agreement);
        outbox.publish(&mut transaction, &event, now).await?;
        claim.store(&mut transaction, &input.order.to_string()).await?;
        commit(transaction).await?;
        self.settlement.wake_refunds();
        Ok(())
    }
}

/// The event from which desk emails the buyer.
fn requested(locked: LockedOrder, order: &RefundableOrder, agreement: &Agreement<'_>) -> RefundRequested {
    let items = agreement.lines.iter().filter_map(|(n, amount)| {
        let line = order.lines.iter().find(|line| line.n == *n)?;
        Some(RefundedItem {
            name: line.label(),
            amount: *amount,
            kind: wire::ProductKind::from(line.kind).into(),
        })
    });
    RefundRequested {
        to: locked.buyer_email,
        account_id: locked.account.map(|account| account.to_string()).unwrap_or_default(),
        name: locked.buyer_name,
        order_id: locked.id.to_string(),
        order_number: locked.number,
        items: items.collect(),
        amount: agreement.amount,
        method: wire::PaymentMethod::from(order.method).into(),
        reason: wire::RefundReason::Buyer.into(),
    }
}
