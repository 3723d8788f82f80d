import { Page } from "@konomana/ui-base";

/** The cart: the courses that are about to be bought. */
export function CartScreen() {
  return <Page title="カート">{null}</Page>;
}
