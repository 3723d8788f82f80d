import { cartQuery } from "@konomana/cart";
import { ApiError } from "@konomana/http";
import { paths } from "@konomana/paths";
import { FailureAlert } from "@konomana/query";
import { Button, Note, Stack } from "@konomana/ui-base";
import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { type Confirmation, confirmationQuery, orderKeys, orderQuery } from "../api";
import { Changes } from "./Changes";
import { type Change, changesOf } from "./changes";
import { OpenOrderNotice } from "./OpenOrderNotice";
import { placeOrder } from "./placeOrder";

/** The button that places the order, and what went wrong with it. */
export function PlaceOrder({ confirmation }: { confirmation: Confirmation }) {
  const { method } = confirmation.document;
  const [changes, setChanges] = useState<readonly Change[]>([]);
  const message = useRef<HTMLDivElement>(null);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const placing = useMutation({
    mutationFn: () => placeOrder(confirmation.digest, method),
    onMutate: () => setChanges([]),
    onSuccess: async (order) => {
      queries.setQueryData(orderQuery(order.id).queryKey, order);
      void queries.invalidateQueries({ queryKey: orderKeys.all, refetchType: "none" });
      void queries.invalidateQueries(cartQuery);
      const { page_url } = order.payment;
      if (page_url !== null) location.assign(page_url);
      else if (order.paid_at !== null) await navigate(paths.paymentComplete(order.id));
      else await navigate(paths.payment(order.id));
    },
    onError: async (error) => {
      if (isChanged(error)) setChanges(await changesSince(confirmation, queries));
      message.current?.focus();
    },
  });
  const { reset } = placing;
  useEffect(() => {
    // With the back button the page comes back as it was left.
    const restored = ({ persisted }: PageTransitionEvent) => {
      if (persisted) reset();
    };
    addEventListener("pageshow", restored);
    return () => removeEventListener("pageshow", restored);
  }, [reset]);
  const busy = placing.isPending || placing.isSuccess;
  return (
    <Stack gap="sm">
      <div ref={message} tabIndex={-1}>
        {changes.length > 0 && <Changes changes={changes} />}
        {changes.length === 0 && placing.isError && (
          <Failure key={placing.submittedAt} error={placing.error} />
        )}
      </div>
      <Button size="xl" fullWidth busy={busy} onClick={() => placing.mutate()}>
        {busy ? "注文しています…" : "注文を確定する"}
      </Button>
      <Note>
        {method === "coupon"
          ? "お支払いはありません。注文を確定すると、すぐにご利用いただけます。"
          : "注文を確定すると、カードの情報を入力する決済代行会社のページへ移ります。"}
      </Note>
    </Stack>
  );
}

/** Shows the confirmation as it is now. Returns what differs; nothing where it can't be had. */
async function changesSince(shown: Confirmation, queries: QueryClient): Promise<readonly Change[]> {
  try {
    const now = await queries.fetchQuery({ ...confirmationQuery, staleTime: 0 });
    return changesOf(shown.document, now.document);
  } catch {
    return [];
  }
}

function isChanged(error: Error): boolean {
  return error instanceof ApiError && error.code === "CONFIRMATION_CHANGED";
}

/** Whether the order may have been placed although no answer came. */
function isAnswerLost(error: Error): boolean {
  return !(error instanceof ApiError) || error.status === 0 || error.status >= 500;
}

function Failure({ error }: { error: Error }) {
  return (
    <Stack gap="sm">
      <FailureAlert error={error} title="注文を確定できませんでした" />
      {isAnswerLost(error) && (
        <Note>もう一度「注文を確定する」を押しても、二重に注文されることはありません。</Note>
      )}
      {error instanceof ApiError && error.code === "ORDER_OPEN" && <OpenOrderNotice />}
    </Stack>
  );
}
