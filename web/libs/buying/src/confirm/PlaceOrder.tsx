import { cartQuery } from "@konomana/cart";
import { ApiError } from "@konomana/http";
import { FailureAlert } from "@konomana/query";
import { Alert, Button, Checkbox, Note, Stack } from "@konomana/ui-base";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { type Confirmation, orderKeys, orderQuery } from "../api";
import { methodSteps } from "../method/methods";
import { Changes } from "./Changes";
import { type Change, changesOf } from "./changes";
import { OpenOrderNotice } from "./OpenOrderNotice";
import { pageAfter } from "./pageAfter";
import { placeOrder } from "./placeOrder";

interface PlaceOrderProps {
  confirmation: Confirmation;
  /** Whether another confirmation is loading. The shown one can't be accepted then. */
  isComing: boolean;
  /** Fetches the current confirmation. */
  onRenew: () => Promise<Confirmation | undefined>;
}

/** The button that places the order, with its error messages. */
export function PlaceOrder({ confirmation, isComing, onRenew }: PlaceOrderProps) {
  const [changes, setChanges] = useState<readonly Change[]>([]);
  // The digest of the contract document whose delivery on these pages the buyer accepts.
  const [accepted, setAccepted] = useState<string>();
  const [isRefused, setRefused] = useState(false);
  const message = useRef<HTMLDivElement>(null);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const isContract = confirmation.document.contract !== undefined;
  const isAccepted = !isContract || accepted === confirmation.digest;
  const placing = useMutation({
    mutationFn: () => placeOrder({ ...confirmation, acceptsContract: isContract && isAccepted }),
    onMutate: () => setChanges([]),
    onSuccess: async (order) => {
      queries.setQueryData(orderQuery(order.id).queryKey, order);
      void queries.invalidateQueries({ queryKey: orderKeys.all, refetchType: "none" });
      void queries.invalidateQueries(cartQuery);
      const { page_url } = order.payment;
      if (page_url === null) await navigate(pageAfter(order));
      else location.assign(page_url);
    },
    onError: async (error) => {
      if (isChanged(error)) setChanges(await changesSince(confirmation, onRenew));
      message.current?.focus();
    },
  });
  const { reset } = placing;
  useEffect(() => {
    // The back button restores the page from the back/forward cache as it was.
    const restored = ({ persisted }: PageTransitionEvent) => {
      if (persisted) reset();
    };
    addEventListener("pageshow", restored);
    return () => removeEventListener("pageshow", restored);
  }, [reset]);
  const busy = placing.isPending || placing.isSuccess;
  const place = () => {
    setRefused(!isAccepted);
    if (isAccepted) return placing.mutate();
    message.current?.focus();
  };
  return (
    <Stack gap="sm">
      {isContract && (
        <Checkbox
          label="概要書面を読みました。書面を、紙に代えて、この画面と「ご注文の詳細」で受け取ることに承諾します。"
          checked={isAccepted}
          onChange={({ currentTarget }) =>
            setAccepted(currentTarget.checked ? confirmation.digest : undefined)
          }
        />
      )}
      <div ref={message} tabIndex={-1}>
        {isRefused && !isAccepted && (
          <Alert color="red">概要書面をお読みのうえ、承諾にしるしを付けてください。</Alert>
        )}
        {changes.length > 0 && <Changes changes={changes} />}
        {changes.length === 0 && placing.isError && (
          <Failure key={placing.submittedAt} error={placing.error} />
        )}
      </div>
      <Button size="xl" fullWidth busy={busy || isComing} onClick={place}>
        {busy ? "注文しています…" : isComing ? "内容を読み込んでいます…" : "注文を確定する"}
      </Button>
      <Note>{methodSteps[confirmation.method]}</Note>
    </Stack>
  );
}

/** Fetches the current confirmation. Returns the differences, or nothing if it can't be loaded. */
async function changesSince(
  shown: Confirmation,
  renew: PlaceOrderProps["onRenew"],
): Promise<readonly Change[]> {
  try {
    const now = await renew();
    return now === undefined ? [] : changesOf(shown.document, now.document);
  } catch {
    return [];
  }
}

function isChanged(error: Error): boolean {
  return error instanceof ApiError && error.code === "CONFIRMATION_CHANGED";
}

/** Whether the order may have been placed although the response was lost. */
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
