import { Note, Text } from "@konomana/ui-base";
import type { OrderLine } from "../api";
import { pricePerMonth } from "../cart/period";
import { formatDiscount } from "./formatDiscount";

interface LinePriceProps {
  /** `discount` is the line's share of the coupon discounts. */
  line: Pick<OrderLine, "kind" | "price" | "discount">;
}

/** The price of a line, with its discount. */
export function LinePrice({ line }: LinePriceProps) {
  return (
    <div className="kn-push kn-end">
      <Text>{pricePerMonth(line)}</Text>
      {line.discount > 0 && <Note>割引 {formatDiscount(line.discount)}</Note>}
    </div>
  );
}
