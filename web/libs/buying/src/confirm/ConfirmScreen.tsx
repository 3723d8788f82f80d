import { Page } from "@konomana/ui-base";

/** The last confirmation before an order is placed. */
export function ConfirmScreen() {
  return <Page title="ご注文内容の確認">{null}</Page>;
}
