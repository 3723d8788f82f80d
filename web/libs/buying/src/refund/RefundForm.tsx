import { ApiError, idempotencyKey, type StoredKey } from "@konomana/http";
import { paths } from "@konomana/paths";
import { FailureAlert } from "@konomana/query";
import { createDraft } from "@konomana/session";
import {
  Alert,
  Button,
  formatYen,
  Group,
  Lines,
  Note,
  showBlue,
  Stack,
  Text,
  TitledPanel,
} from "@konomana/ui-base";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useNavigate } from "react-router";
import { orderKeys, orderQuery, type RefundQuote, refundQuoteQuery, requestRefund } from "../api";
import { invalidateBeside } from "../order/invalidateBeside";
import { changedAmounts, type ChangedAmount } from "./changedAmounts";
import { QuoteLine } from "./QuoteLine";

/**
 * The idempotency key of the request until the server has answered. It survives a reload and a
 * retry.
 */
const keyStore = createDraft<StoredKey>("refund.key", ["key", "content"]);

interface RefundFormProps {
  /** The order's identifier. */
  id: string;
  quote: RefundQuote;
}

/** The lines of an order with their refunds. One press requests the refund of the chosen lines. */
export function RefundForm({ id, quote }: RefundFormProps) {
  const refundable = quote.lines.filter(isRefundable);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(
    () => new Set(refundable.length === 1 ? refundable.map(({ n }) => n) : []),
  );
  const [changes, setChanges] = useState<readonly ChangedAmount[]>([]);
  const [isNoneChosen, setNoneChosen] = useState(false);
  const message = useRef<HTMLDivElement>(null);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const lines = refundable.filter(({ n }) => chosen.has(n));
  const total = lines.reduce((sum, { amount }) => sum + amount, 0);
  const requesting = useMutation({
    mutationFn: async () => {
      const content = { quote: quote.digest, lines: lines.map(({ n }) => n) };
      const order = await requestRefund(id, content, idempotencyKey(keyStore, { id, ...content }));
      keyStore.clear();
      return order;
    },
    onMutate: () => setChanges([]),
    onSuccess: async (order) => {
      queries.setQueryData(orderQuery(id).queryKey, order);
      void queries.invalidateQueries({ queryKey: orderKeys.all, refetchType: "none" });
      invalidateBeside(queries, order);
      showBlue("返金の手続きを受け付けました。");
      await navigate(paths.order(id));
    },
    onError: async (error) => {
      if (error instanceof ApiError && error.code === "QUOTE_CHANGED") {
        const now = await queries.fetchQuery({ ...refundQuoteQuery(id), staleTime: 0 });
        setChanges(changedAmounts(quote, now));
      }
      message.current?.focus();
    },
  });
  const toggle = (n: number, isChosen: boolean) => {
    setNoneChosen(false);
    setChosen((before) => {
      const after = new Set(before);
      if (isChosen) after.add(n);
      else after.delete(n);
      return after;
    });
  };
  const send = () => {
    if (lines.length > 0) return requesting.mutate();
    setNoneChosen(true);
    message.current?.focus();
  };
  const hasExam = quote.lines.some(({ kind }) => kind === "exam_seat");
  const hasCourse = quote.lines.some(({ kind }) => kind !== "exam_seat");
  const item = !hasExam ? "講座" : hasCourse ? "商品" : "模試";
  const busy = requesting.isPending || requesting.isSuccess;
  return (
    <TitledPanel title={`返金する${item}をえらぶ`} gap="md">
      <Lines>
        {quote.lines.map((line) => (
          <QuoteLine
            key={line.n}
            line={line}
            isChosen={chosen.has(line.n)}
            {...(isRefundable(line) && { onChoose: (isChosen) => toggle(line.n, isChosen) })}
          />
        ))}
      </Lines>
      <Group justify="space-between" gap="0rem 1rem" role="status">
        <Text bold>戻る金額の合計</Text>
        <Text bold>{formatYen(total)}</Text>
      </Group>
      <Stack gap="xs">
        <Text>{quote.arrival_text}</Text>
        <Text>
          {hasCourse &&
            "申し込むと、えらんだ講座はすぐに見られなくなります。学習の記録とノートは、そのまま残ります。"}
          {hasExam && "申し込むと、えらんだ模試は受験できなくなります。"}
          取り消しはできません。
        </Text>
      </Stack>
      <div ref={message} tabIndex={-1}>
        {isNoneChosen && <Alert color="red">返金する{item}を1つ以上えらんでください。</Alert>}
        {changes.length > 0 && <Changed changes={changes} />}
        {changes.length === 0 && requesting.isError && (
          <FailureAlert
            key={requesting.submittedAt}
            error={requesting.error}
            title="返金を申し込めませんでした"
          />
        )}
      </div>
      <Button size="lg" busy={busy} onClick={send}>
        {busy ? "申し込んでいます…" : "返金を申し込む"}
      </Button>
      <Note>もう一度押しても、二重に返金されることはありません。</Note>
    </TitledPanel>
  );
}

/** Whether a line can be refunded. A free line can be returned for 0 yen. */
function isRefundable({ rule, amount, paid }: RefundQuote["lines"][number]): boolean {
  return rule !== "none" && (amount > 0 || paid === 0);
}

function Changed({ changes }: { changes: readonly ChangedAmount[] }) {
  return (
    <Alert color="red" title="返金額が変わりました。内容をご確認ください。">
      <p>
        返金は、まだ申し込まれていません。新しい金額でよければ、もう一度「返金を申し込む」を押してください。
      </p>
      <ul>
        {changes.map(({ name, before, now }) => (
          <li key={name}>
            {name}：<del>{formatYen(before)}</del> → <ins>{formatYen(now)}</ins>
          </li>
        ))}
      </ul>
    </Alert>
  );
}
