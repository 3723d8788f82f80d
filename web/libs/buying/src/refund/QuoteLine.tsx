import {
  Checkbox,
  formatDateTime,
  formatLastDay,
  formatYen,
  Note,
  Stack,
  Text,
  Group,
} from "@konomana/ui-base";
import { useId } from "react";
import type { RefundQuoteLine } from "../api";
import { learnerOf } from "../order/learnerOf";

interface QuoteLineProps {
  line: RefundQuoteLine;
  isChosen: boolean;
  /** Absent if the line can't be refunded. */
  onChoose?: (isChosen: boolean) => void;
}

/** A line of a refund quote: the amount, its calculation and its deadline. */
export function QuoteLine({ line, isChosen, onChoose }: QuoteLineProps) {
  const reason = useId();
  return (
    <li>
      <Group justify="space-between" nowrap>
        {onChoose === undefined ? (
          <Text bold>{line.name}</Text>
        ) : (
          <Checkbox
            label={<Text bold>{line.name}</Text>}
            checked={isChosen}
            onChange={({ currentTarget }) => onChoose(currentTarget.checked)}
            aria-describedby={reason}
          />
        )}
        <Text bold className="kn-nowrap">
          {formatYen(line.amount)}
        </Text>
      </Group>
      <Stack id={reason} gap="0.25rem">
        <Note>
          {learnerOf(line)}・お支払い {formatYen(line.paid)}
          {line.refunded > 0 && `・返金済み ${formatYen(line.refunded)}`}
        </Note>
        <Text size="sm">{line.rule_text}</Text>
        {line.rule === "full" && line.full_until !== null && (
          <Note>この金額で申し込めるのは、{formatLastDay(line.full_until)}までです。</Note>
        )}
        {line.rule !== "none" && line.last_use_at !== null && (
          <Note>申し込まないときは、{formatDateTime(line.last_use_at)}まで使えます。</Note>
        )}
      </Stack>
    </li>
  );
}
