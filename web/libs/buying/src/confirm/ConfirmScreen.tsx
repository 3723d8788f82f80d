import { ApiError } from "@konomana/http";
import { paths } from "@konomana/paths";
import { QueryBoundary } from "@konomana/query";
import { ButtonLink, EmptyState, LoadingState, Page } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { confirmationQuery } from "../api";
import { Confirm } from "./Confirm";
import { OpenOrderNotice } from "./OpenOrderNotice";

/** /cart/confirm: the final confirmation that 特定商取引法 asks for, and the button that places the order. */
export function ConfirmScreen() {
  const query = useQuery({ ...confirmationQuery, gcTime: 0, refetchOnReconnect: false });
  return (
    <Page title="ご注文内容の確認">
      {isEmpty(query.error) ? (
        <NothingToOrder />
      ) : (
        <QueryBoundary query={query} loading={<LoadingState rows={3} height="9rem" />}>
          {(confirmation) => <Confirm confirmation={confirmation} />}
        </QueryBoundary>
      )}
    </Page>
  );
}

function isEmpty(error: Error | null): boolean {
  return error instanceof ApiError && error.code === "CART_EMPTY";
}

/** Everything in the cart may be ordered already, or can't be bought. */
function NothingToOrder() {
  return (
    <>
      <OpenOrderNotice />
      <EmptyState
        title="カートに、購入できる講座がありません"
        action={
          <ButtonLink to={paths.cart()} pill>
            カートに戻る
          </ButtonLink>
        }
      />
    </>
  );
}
