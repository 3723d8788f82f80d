import { paths } from "@konomana/paths";
import { defineScreen } from "@konomana/screens";

const page = { layout: "default", serving: "client" } as const;

export const screens = [
  defineScreen({
    ...page,
    pattern: paths.cart.pattern,
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
];
