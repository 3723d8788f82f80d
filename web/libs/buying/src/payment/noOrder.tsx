import { paths } from "@konomana/paths";
import { ButtonLink, Group } from "@konomana/ui-base";
import type { Face } from "./faces";

const ways = (
  <Group actions>
    <ButtonLink to={paths.orders()}>ご注文履歴を見る</ButtonLink>
    <ButtonLink to={paths.cart()} variant="default">
      カートにもどる
    </ButtonLink>
  </Group>
);

/** The face for an address without an order. */
export const noOrder: Face = {
  title: "お支払い",
  lead: "どのご注文のお支払いかが分かりませんでした。ご注文履歴から、お支払いの続きや結果を確かめられます。",
  content: ways,
};

/** The same after a failed payment. */
export const failedWithoutOrder: Face = {
  title: "お支払いが完了していません",
  lead: "手続きの途中で問題が起きました。もう一度お試しいただいても、二重に請求されることはありません。カートの中身は、そのまま残っています。",
  content: ways,
};
