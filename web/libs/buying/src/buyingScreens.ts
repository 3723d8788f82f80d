import { paths } from "@konomana/paths";
import { pageIn } from "@konomana/query";
import {
  defineScreen,
  hasIdentifier,
  hasOrder,
  hasRefund,
  hasSubscription,
} from "@konomana/screens";
import { ensureUser } from "@konomana/session";
import {
  couponQuery,
  couponsQuery,
  orderQuery,
  ordersQuery,
  receiptQuery,
  subscriptionQuery,
  subscriptionsQuery,
} from "./api";

const mypage = { layout: "mypage", scope: "any", serving: "client" } as const;
const page = { layout: "default", serving: "client" } as const;

const couponCrumbs = [
  { label: "カート", to: paths.cart() },
  { label: "クーポン", to: paths.cartCoupons() },
];

export const screens = [
  defineScreen({
    ...page,
    pattern: paths.cart.pattern,
    // If the user can't be loaded, the visitor's cart is shown.
    load: () => ensureUser().catch(() => null),
    component: async () => (await import("./cart/CartScreen")).CartScreen,
    crumbs: () => [{ label: "カート", to: paths.cart() }],
  }),
  defineScreen({
    ...page,
    pattern: paths.cartConfirm.pattern,
    scope: "any",
    component: async () => (await import("./confirm/ConfirmScreen")).ConfirmScreen,
    crumbs: () => [
      { label: "カート", to: paths.cart() },
      { label: "ご注文内容の確認", to: paths.cartConfirm() },
    ],
  }),
  defineScreen({
    ...page,
    pattern: paths.cartCoupons.pattern,
    // A visitor sees a request to sign in.
    load: () => ensureUser().catch(() => null),
    component: async () => (await import("./coupon/CartCouponsScreen")).CartCouponsScreen,
    crumbs: () => couponCrumbs,
  }),
  defineScreen<number>({
    ...page,
    pattern: paths.cartCoupon.pattern,
    valid: hasIdentifier,
    load: async ({ params: { id } }) => {
      await ensureUser().catch(() => null);
      return Number(id);
    },
    component: async () => (await import("./coupon/CartCouponScreen")).CartCouponScreen,
    crumbs: (id) => [...couponCrumbs, { label: "クーポンの内容", to: paths.cartCoupon(id) }],
  }),
  defineScreen({
    ...page,
    pattern: paths.payment.pattern,
    scope: "any",
    component: async () => (await import("./payment/PaymentScreen")).PaymentScreen,
  }),
  defineScreen({
    ...page,
    pattern: paths.paymentComplete.pattern,
    scope: "any",
    component: async () => (await import("./payment/PaymentCompleteScreen")).PaymentCompleteScreen,
  }),
  defineScreen({
    ...page,
    pattern: paths.paymentCredit.pattern,
    scope: "any",
    component: async () => (await import("./payment/PaymentCompleteScreen")).PaymentCompleteScreen,
  }),
  defineScreen({
    ...page,
    pattern: paths.paymentBank.pattern,
    scope: "any",
    component: async () => (await import("./payment/PaymentCompleteScreen")).PaymentCompleteScreen,
  }),
  defineScreen({
    ...page,
    pattern: paths.paymentSubscribe.pattern,
    scope: "any",
    component: async () => (await import("./payment/PaymentCompleteScreen")).PaymentCompleteScreen,
  }),
  defineScreen({
    ...page,
    pattern: paths.paymentError.pattern,
    scope: "any",
    component: async () => (await import("./payment/PaymentErrorScreen")).PaymentErrorScreen,
  }),
  defineScreen({
    ...mypage,
    pattern: paths.orders.pattern,
    warm: (queries, { search }) => [
      queries.prefetchQuery(ordersQuery(pageIn(search))),
      queries.prefetchQuery(subscriptionsQuery),
    ],
    component: async () => (await import("./history/OrdersScreen")).OrdersScreen,
  }),
  defineScreen({
    ...mypage,
    pattern: paths.order.pattern,
    valid: hasOrder,
    warm: (queries, { params: { order = "" } }) => [queries.prefetchQuery(orderQuery(order))],
    component: async () => (await import("./history/OrderScreen")).OrderScreen,
  }),
  defineScreen({
    ...mypage,
    pattern: paths.receipt.pattern,
    valid: hasOrder,
    warm: (queries, { params: { order = "" } }) => [queries.prefetchQuery(receiptQuery(order))],
    component: async () => (await import("./history/ReceiptScreen")).ReceiptScreen,
  }),
  defineScreen({
    ...mypage,
    pattern: paths.coupons.pattern,
    warm: (queries) => [queries.prefetchQuery(couponsQuery)],
    component: async () => (await import("./coupon/CouponsScreen")).CouponsScreen,
  }),
  defineScreen({
    ...mypage,
    pattern: paths.coupon.pattern,
    valid: hasIdentifier,
    warm: (queries, { params: { id } }) => [queries.prefetchQuery(couponQuery(Number(id)))],
    component: async () => (await import("./coupon/CouponScreen")).CouponScreen,
  }),
  defineScreen({
    ...mypage,
    pattern: paths.refund.pattern,
    valid: hasOrder,
    component: async () => (await import("./refund/RefundScreen")).RefundScreen,
  }),
  defineScreen({
    ...mypage,
    pattern: paths.returnInvoice.pattern,
    valid: hasRefund,
    component: async () => (await import("./refund/ReturnInvoiceScreen")).ReturnInvoiceScreen,
  }),
  defineScreen({
    ...mypage,
    pattern: paths.subscription.pattern,
    valid: hasSubscription,
    warm: (queries, { params: { subscription = "" } }) => [
      queries.prefetchQuery(subscriptionQuery(subscription)),
    ],
    component: async () => (await import("./subscription/SubscriptionScreen")).SubscriptionScreen,
  }),
];
