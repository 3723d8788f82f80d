//! `commerce.v1.OrderService`.

use futures_util::StreamExt as _;
use futures_util::stream::{self, BoxStream};
use kit::caller::CallerOf as _;
use kit::page::Page;
use proto::commerce as wire;
use proto::commerce::order_service_server::OrderService;
use tonic::{Request, Response, Status};

use super::export::Part;
use super::order_message::{
    decode_method, encode_confirmation, encode_order, encode_purchase, encode_receipt,
};
use super::{Commerce, account, commit, order_change, parse_id, receipt_pdf};
use crate::buyer::Buyer;
use crate::confirmation;
use crate::error::Error;
use crate::order::{self, purchase};
use crate::owned_courses::OwnedCourses;
use crate::payment::Method;
use crate::receipt::pdf::ReceiptPdf;
use crate::receipt::{self, Addressee};

#[tonic::async_trait]
impl OrderService for Commerce {
    async fn get_confirmation(
        &self,
        request: Request<wire::GetConfirmationRequest>,
    ) -> Result<Response<wire::GetConfirmationResponse>, Status> {
        let account = account(&request)?;
        let request = request.into_inner();
        let method = match request.method() {
            wire::PaymentMethod::Unspecified => Method::Card,
            _ => decode_method(request.method).map_err(Error::from)?,
        };
        let buyer = Buyer::from_wire(request.buyer)?;
        let owned = OwnedCourses::find(&self.lms, &buyer.learner_ids()).await?;
        let mut connection = self.acquire().await?;
        if order::find_open_order(&mut connection, account).await.map_err(Error::from)?.is_some() {
            return Err(Error::OrderOpen.into());
        }
        let confirmation =
            confirmation::render(&mut connection, account, &buyer, &owned, method, self.clock.now()).await?;
        let methods =
            confirmation.methods.iter().map(|&method| wire::PaymentMethod::from(method).into()).collect();
        let confirmation = encode_confirmation(confirmation.document, &confirmation.digest);
        Ok(Response::new(wire::GetConfirmationResponse { confirmation: Some(confirmation), methods }))
    }

    async fn place_order(
        &self,
        request: Request<wire::PlaceOrderRequest>,
    ) -> Result<Response<wire::PlaceOrderResponse>, Status> {
        let account = account(&request)?;
        let order = order_change::place(self, account, request.into_inner()).await?;
        Ok(Response::new(wire::PlaceOrderResponse { order: Some(encode_order(order, self.clock.now())) }))
    }

    async fn list_orders(
        &self,
        request: Request<wire::ListOrdersRequest>,
    ) -> Result<Response<wire::ListOrdersResponse>, Status> {
        let account = account(&request)?;
        let page = Page::parse(request.into_inner().page, order::PAGE_SIZE)?;
        let mut connection = self.acquire().await?;
        let (rows, orders) = order::list_page(&mut connection, account, page).await.map_err(Error::from)?;
        let now = self.clock.now();
        Ok(Response::new(wire::ListOrdersResponse {
            count: page.encode_count(rows).ok_or(Error::NotFound)?,
            orders: orders.into_iter().map(|order| encode_order(order, now)).collect(),
        }))
    }

    async fn list_learner_purchases(
        &self,
        request: Request<wire::ListLearnerPurchasesRequest>,
    ) -> Result<Response<wire::ListLearnerPurchasesResponse>, Status> {
        let learner = request.caller()?.learner_or_child()?;
        let mut connection = self.acquire().await?;
        let purchases = purchase::list(&mut connection, learner).await.map_err(Error::from)?;
        let purchases = purchases.into_iter().map(encode_purchase).collect();
        Ok(Response::new(wire::ListLearnerPurchasesResponse { purchases }))
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
        Ok(Response::new(wire::GetOrderResponse { order: Some(encode_order(order, self.clock.now())) }))
    }

    async fn check_order(
        &self,
        request: Request<wire::CheckOrderRequest>,
    ) -> Result<Response<wire::CheckOrderResponse>, Status> {
        let account = account(&request)?;
        let id = parse_id(&request.into_inner().order_id)?;
        let order = order_change::check(self, account, id).await?;
        Ok(Response::new(wire::CheckOrderResponse { order: Some(encode_order(order, self.clock.now())) }))
    }

    async fn pay_order(
        &self,
        request: Request<wire::PayOrderRequest>,
    ) -> Result<Response<wire::PayOrderResponse>, Status> {
        let account = account(&request)?;
        let request = request.into_inner();
        let id = parse_id(&request.order_id)?;
        let order = order_change::pay(self, account, id, request.method()).await?;
        Ok(Response::new(wire::PayOrderResponse { order: Some(encode_order(order, self.clock.now())) }))
    }

    async fn cancel_order(
        &self,
        request: Request<wire::CancelOrderRequest>,
    ) -> Result<Response<wire::CancelOrderResponse>, Status> {
        let account = account(&request)?;
        let id = parse_id(&request.into_inner().order_id)?;
        let order = order_change::cancel(self, account, id).await?;
        Ok(Response::new(wire::CancelOrderResponse { order: Some(encode_order(order, self.clock.now())) }))
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

    async fn get_receipt_pdf(
        &self,
        request: Request<wire::GetReceiptPdfRequest>,
    ) -> Result<Response<wire::GetReceiptPdfResponse>, Status> {
        let account = account(&request)?;
        let id = parse_id(&request.into_inner().order_id)?;
        let ReceiptPdf { number, pdf } = receipt_pdf::get(self, account, id).await?;
        Ok(Response::new(wire::GetReceiptPdfResponse { number, pdf }))
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
                // Each part takes its own connection, so a slow client holds none.
                let mut connection = commerce.acquire().await?;
                let read = part.read_part(&mut connection, account, commerce.clock.now()).await;
                Ok::<_, Status>(Some(read.map_err(Error::from)?))
            }
        });
        Ok(Response::new(parts.boxed()))
    }
}
