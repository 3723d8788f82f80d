//! The permitted callers of each rpc.

use kit::caller::Allowed::{Anyone, Learner, LearnerOrGuardian, Services, SignedIn};
use kit::caller::{Row, Service};

/// One row for each rpc.
pub const CALLERS: &[Row] = &[
    ("/commerce.v1.ProductService/ListProducts", Anyone),
    ("/commerce.v1.ProductService/GetProduct", Anyone),
    ("/commerce.v1.ProductService/ListOffers", Anyone),
    ("/commerce.v1.CartService/GetCart", LearnerOrGuardian),
    ("/commerce.v1.CartService/AddLine", LearnerOrGuardian),
    ("/commerce.v1.CartService/RemoveLine", LearnerOrGuardian),
    ("/commerce.v1.CartService/AssignLine", LearnerOrGuardian),
    ("/commerce.v1.CartService/JoinCart", LearnerOrGuardian),
    ("/commerce.v1.CouponService/ListCoupons", LearnerOrGuardian),
    ("/commerce.v1.CouponService/GetCoupon", LearnerOrGuardian),
    ("/commerce.v1.CouponService/ClaimCoupon", LearnerOrGuardian),
    ("/commerce.v1.CouponService/ApplyCoupon", LearnerOrGuardian),
    ("/commerce.v1.CouponService/TakeOffCoupon", LearnerOrGuardian),
    ("/commerce.v1.CartService/AskGuardians", Learner),
    ("/commerce.v1.OrderService/GetConfirmation", LearnerOrGuardian),
    ("/commerce.v1.OrderService/PlaceOrder", LearnerOrGuardian),
    ("/commerce.v1.OrderService/ListOrders", LearnerOrGuardian),
    ("/commerce.v1.OrderService/GetOrder", LearnerOrGuardian),
    ("/commerce.v1.OrderService/CheckOrder", LearnerOrGuardian),
    ("/commerce.v1.OrderService/PayOrder", LearnerOrGuardian),
    ("/commerce.v1.OrderService/CancelOrder", LearnerOrGuardian),
    ("/commerce.v1.OrderService/GetReceipt", LearnerOrGuardian),
    ("/commerce.v1.OrderService/GetReceiptPdf", LearnerOrGuardian),
    ("/commerce.v1.OrderService/IssueReceipt", LearnerOrGuardian),
    ("/commerce.v1.CardService/GetCard", LearnerOrGuardian),
    ("/commerce.v1.CardService/StartCardSetup", LearnerOrGuardian),
    ("/commerce.v1.CardService/CheckCardSetup", LearnerOrGuardian),
    ("/commerce.v1.CardService/RemoveCard", LearnerOrGuardian),
    ("/commerce.v1.SubscriptionService/ListSubscriptions", LearnerOrGuardian),
    ("/commerce.v1.SubscriptionService/GetSubscription", LearnerOrGuardian),
    ("/commerce.v1.SubscriptionService/CancelSubscription", LearnerOrGuardian),
    ("/commerce.v1.SubscriptionService/ResumeSubscription", LearnerOrGuardian),
    ("/commerce.v1.OrderService/ExportPurchases", SignedIn),
    ("/commerce.v1.RefundService/GetRefundQuote", LearnerOrGuardian),
    ("/commerce.v1.RefundService/RequestRefund", LearnerOrGuardian),
    ("/commerce.v1.RefundService/GetReturnInvoice", LearnerOrGuardian),
    ("/commerce.v1.RefundService/GetReturnInvoicePdf", LearnerOrGuardian),
    ("/commerce.v1.RefundService/RetryRefund", LearnerOrGuardian),
    ("/common.v1.EventService/Deliver", Services(&[Service::Auth])),
    // The edge, on behalf of the provider.
    ("/commerce.v1.ProviderService/ReceiveEvent", Anyone),
];
