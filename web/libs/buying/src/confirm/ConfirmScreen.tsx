import { ApiError } from "@konomana/http";
import { paths } from "@konomana/paths";
import { QueryBoundary } from "@konomana/query";
import { ButtonLink, EmptyState, LoadingState, Page, showMessage } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { type Confirmation, confirmationQuery } from "../api";
import { Confirm } from "./Confirm";
import { OpenOrderNotice } from "./OpenOrderNotice";
import { useMethod } from "./useMethod";

/**
 * /cart/confirm: the final confirmation required by 特定商取引法, and the button that places the order.
 */
export function ConfirmScreen() {
  const { method, choose } = useMethod();
  const query = useQuery({ ...confirmationQuery(method), gcTime: 0, refetchOnReconnect: false });
  // If the confirmation for another method fails to load, the last one stays on the page with the
  // choice.
  const [shown, setShown] = useState<Confirmation>();
  if (query.data !== undefined && query.data !== shown) setShown(query.data);
  const isRefused = method !== undefined && isMethodRefused(query.error);
  useEffect(() => {
    if (!isRefused) return;
    showMessage("このお支払い方法は、いまのカートでは使えません。ほかの方法をお選びください。");
    choose(undefined);
    // oxlint-disable-next-line react/exhaustive-deps -- once for each refusal, not for each render
  }, [isRefused]);
  const renew = async () => (await query.refetch({ throwOnError: true })).data;
  return (
    <Page title="ご注文内容の確認">
      {isEmpty(query.error) ? (
        <NothingToOrder />
      ) : shown === undefined ? (
        <QueryBoundary query={query} loading={<LoadingState rows={3} height="9rem" />}>
          {() => null}
        </QueryBoundary>
      ) : (
        <Confirm
          shown={shown}
          query={query}
          chosen={method ?? shown.method}
          onChoose={choose}
          onRenew={renew}
        />
      )}
    </Page>
  );
}

function isEmpty(error: Error | null): boolean {
  return error instanceof ApiError && error.code === "CART_EMPTY";
}

/** Whether this cart can't be paid with the method in the address. */
function isMethodRefused(error: Error | null): boolean {
  return error instanceof ApiError && error.errors.some(({ field }) => field === "method");
}

/** Every line is ordered already or can't be bought. */
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
