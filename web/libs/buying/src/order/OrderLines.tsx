import { Group, Lines, Note, Text } from "@konomana/ui-base";
import type { ReactNode } from "react";
import type { OrderLine } from "../api";
import { periodOf } from "../cart/period";
import { learnerOf } from "./learnerOf";
import { LinePrice } from "./LinePrice";

interface OrderLinesProps {
  lines: readonly OrderLine[];
  /** The link below a line. */
  linkOf?: ((line: OrderLine) => ReactNode) | undefined;
}

/** The lines of an order with product, learner and period. */
export function OrderLines({ lines, linkOf }: OrderLinesProps) {
  return (
    <Lines>
      {lines.map((line) => (
        <Group
          as="li"
          key={`${line.product_id} ${line.learner.id}`}
          gap="0rem 1rem"
          justify="space-between"
          align="baseline"
        >
          <div>
            <Text bold>{line.name}</Text>
            <Note>{[learnerOf(line), periodOf(line)].filter(Boolean).join("・")}</Note>
            {linkOf?.(line)}
          </div>
          <LinePrice line={line} />
        </Group>
      ))}
    </Lines>
  );
}
