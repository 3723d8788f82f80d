//! Learners and guardians who buy, called like by the edge.

use kit::client::Channel;
use kit::test;
use proto::commerce::card_service_client::CardServiceClient;
use proto::commerce::cart_service_client::CartServiceClient;
use proto::commerce::order_service_client::OrderServiceClient;
use proto::commerce::subscription_service_client::SubscriptionServiceClient;
use proto::commerce::{
    AddLineRequest, AskGuardiansRequest, AskGuardiansResponse, AssignLineRequest, Buyer, Cart, Confirmation,
    GetCartRequest, GetConfirmationRequest, GetConfirmationResponse, GetOrderRequest, GetReceiptPdfRequest,
    GetReceiptPdfResponse, GetReceiptRequest, IssueReceiptRequest, JoinCartRequest, Learner, LinkedGuardian,
    ListOrdersRequest, ListOrdersResponse, Order, PaymentMethod, Receipt, RemoveLineRequest,
};
use tonic::{Response, Status};
use uuid::Uuid;

use crate::shop::Shop;

pub(crate) struct Customer {
    pub(crate) id: Uuid,
    /// The buyer as the edge sends it.
    pub(crate) buyer: Buyer,
    pub(crate) channel: Channel,
}

fn learner(id: Uuid, name: &str) -> Learner {
    Learner { id: id.to_string(), name: name.to_owned(), lacks_consent: false, is_consent_asked: false }
}

impl Shop {
    /// A learner who buys for themselves.
    pub(crate) fn learner(&self) -> Customer {
        let id = Uuid::now_v7();
        let email = "aoi@example.jp".to_owned();
        let buyer = Buyer {
            name: "葵 太郎".to_owned(),
            email,
            learners: vec![learner(id, "葵 太郎")],
            kana: "アオイ タロウ".to_owned(),
        };
        Customer { id, buyer, channel: self.server.channel_as(test::learner(id)) }
    }

    /// A guardian with `children` children.
    pub(crate) fn guardian(&self, children: usize) -> Customer {
        let id = Uuid::now_v7();
        let names = ["葵 一郎", "葵 二郎", "葵 三郎"];
        let learners = names[..children].iter().map(|name| learner(Uuid::now_v7(), name)).collect();
        let buyer = Buyer {
            name: "葵 花子".to_owned(),
            email: "hanako@example.jp".to_owned(),
            learners,
            kana: "アオイ ハナコ".to_owned(),
        };
        Customer { id, buyer, channel: self.server.channel_as(test::guardian(id)) }
    }
}

impl Customer {
    fn carts(&self) -> CartServiceClient<Channel> {
        CartServiceClient::new(self.channel.clone())
    }

    pub(crate) fn orders(&self) -> OrderServiceClient<Channel> {
        OrderServiceClient::new(self.channel.clone())
    }

    pub(crate) fn cards(&self) -> CardServiceClient<Channel> {
        CardServiceClient::new(self.channel.clone())
    }

    pub(crate) fn subscriptions(&self) -> SubscriptionServiceClient<Channel> {
        SubscriptionServiceClient::new(self.channel.clone())
    }

    fn buyer(&self) -> Buyer {
        self.buyer.clone()
    }

    /// The id of a learner that they may buy for.
    pub(crate) fn learner(&self, index: usize) -> &str {
        &self.buyer.learners[index].id
    }

    pub(crate) async fn try_cart(&self) -> Result<Cart, Status> {
        let answer = self.carts().get_cart(GetCartRequest { buyer: Some(self.buyer()) }).await?;
        Ok(answer.into_inner().cart.unwrap())
    }

    pub(crate) async fn cart(&self) -> Cart {
        self.try_cart().await.unwrap()
    }

    pub(crate) async fn add(&self, product_id: i64) -> Result<Cart, Status> {
        self.add_for(product_id, "").await
    }

    pub(crate) async fn add_for(&self, product_id: i64, learner_id: &str) -> Result<Cart, Status> {
        let learner_id = learner_id.to_owned();
        let request = AddLineRequest { buyer: Some(self.buyer()), product_id, learner_id };
        Ok(self.carts().add_line(request).await?.into_inner().cart.unwrap())
    }

    pub(crate) async fn remove(&self, line_id: &str) -> Result<Cart, Status> {
        let request = RemoveLineRequest { buyer: Some(self.buyer()), line_id: line_id.to_owned() };
        Ok(self.carts().remove_line(request).await?.into_inner().cart.unwrap())
    }

    pub(crate) async fn assign(&self, line_id: &str, learner_id: &str) -> Result<Cart, Status> {
        let (line_id, learner_id) = (line_id.to_owned(), learner_id.to_owned());
        let request = AssignLineRequest { buyer: Some(self.buyer()), line_id, learner_id };
        Ok(self.carts().assign_line(request).await?.into_inner().cart.unwrap())
    }

    pub(crate) async fn join(&self, product_ids: &[i64]) -> Result<Cart, Status> {
        let request = JoinCartRequest { buyer: Some(self.buyer()), product_ids: product_ids.to_vec() };
        Ok(self.carts().join_cart(request).await?.into_inner().cart.unwrap())
    }

    /// Asks these guardians to pay.
    pub(crate) async fn ask(&self, guardians: &[&Self]) -> Result<AskGuardiansResponse, Status> {
        let guardians = guardians.iter().map(|guardian| LinkedGuardian {
            id: guardian.id.to_string(),
            name: guardian.buyer.name.clone(),
            email: guardian.buyer.email.clone(),
        });
        let request = AskGuardiansRequest { buyer: Some(self.buyer()), guardians: guardians.collect() };
        self.carts().ask_guardians(request).await.map(Response::into_inner)
    }

    pub(crate) async fn confirmation(&self) -> Result<Confirmation, Status> {
        Ok(self.confirmation_by(PaymentMethod::Unspecified).await?.confirmation.unwrap())
    }

    pub(crate) async fn confirmation_by(
        &self,
        method: PaymentMethod,
    ) -> Result<GetConfirmationResponse, Status> {
        let request = GetConfirmationRequest { buyer: Some(self.buyer()), method: method.into() };
        self.orders().get_confirmation(request).await.map(Response::into_inner)
    }

    pub(crate) async fn order_page(&self, page: u32) -> Result<ListOrdersResponse, Status> {
        self.orders().list_orders(ListOrdersRequest { page }).await.map(Response::into_inner)
    }

    pub(crate) async fn order(&self, id: &str) -> Result<Order, Status> {
        let request = GetOrderRequest { order_id: id.to_owned() };
        Ok(self.orders().get_order(request).await?.into_inner().order.unwrap())
    }

    pub(crate) async fn receipt(&self, id: &str) -> Result<Receipt, Status> {
        let request = GetReceiptRequest { order_id: id.to_owned() };
        Ok(self.orders().get_receipt(request).await?.into_inner().receipt.unwrap())
    }

    pub(crate) async fn receipt_pdf(&self, id: &str) -> Result<GetReceiptPdfResponse, Status> {
        let request = GetReceiptPdfRequest { order_id: id.to_owned() };
        self.orders().get_receipt_pdf(request).await.map(Response::into_inner)
    }

    pub(crate) async fn issue_receipt(&self, id: &str, addressee: &str) -> Result<Receipt, Status> {
        let request = IssueReceiptRequest { order_id: id.to_owned(), addressee: addressee.to_owned() };
        Ok(self.orders().issue_receipt(request).await?.into_inner().receipt.unwrap())
    }
}

/// Product, learner and problem of each line.
pub(crate) fn lines(cart: &Cart) -> Vec<(i64, &str, proto::commerce::LineProblem)> {
    let line = |line: &'_ proto::commerce::CartLine| line.product.as_ref().unwrap().id;
    cart.lines.iter().map(|it| (line(it), it.learner_name.as_str(), it.problem())).collect()
}

/// The products of the lines.
pub(crate) fn products(cart: &Cart) -> Vec<i64> {
    lines(cart).into_iter().map(|(product, ..)| product).collect()
}
