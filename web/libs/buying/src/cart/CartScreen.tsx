import { canBuy } from "@konomana/cart";
import { useSession } from "@konomana/session";
import { Page } from "@konomana/ui-base";
import { AccountCart } from "./AccountCart";
import { NoCart } from "./NoCart";
import { VisitorCart } from "./VisitorCart";

/** /cart: the cart of the account, or of this browser. */
export function CartScreen() {
  const { user } = useSession();
  return (
    <Page title="カート">
      {user === null ? <VisitorCart /> : canBuy(user) ? <AccountCart user={user} /> : <NoCart />}
    </Page>
  );
}
