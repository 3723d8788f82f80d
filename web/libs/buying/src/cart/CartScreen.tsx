import { canBuy } from "@konomana/cart";
import { paths } from "@konomana/paths";
import { useSession } from "@konomana/session";
import { ButtonLink, EmptyState, Page } from "@konomana/ui-base";
import { AccountCart } from "./AccountCart";
import { VisitorCart } from "./VisitorCart";

/** /cart: the courses that are about to be bought, of the account or of this browser. */
export function CartScreen() {
  const { user } = useSession();
  return (
    <Page title="カート">
      {user === null ? <VisitorCart /> : canBuy(user) ? <AccountCart user={user} /> : <NoCart />}
    </Page>
  );
}

function NoCart() {
  return (
    <EmptyState
      title="このアカウントでは購入できません"
      action={
        <ButtonLink to={paths.courses()} pill>
          講座をさがす
        </ButtonLink>
      }
    >
      講座を購入できるのは、生徒か保護者の方のアカウントです。
    </EmptyState>
  );
}
