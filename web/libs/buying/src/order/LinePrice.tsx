import { formatYen, Note, Text } from "@konomana/ui-base";
import { formatDiscount } from "./formatDiscount";
import styles from "./order.module.css";

interface LinePriceProps {
  /** Whole yen, tax included. */
  price: number;
  /** The part of the coupons' discount that falls on the line. */
  discount: number;
}

/** The price of a line, and what coupons take off it. */
export function LinePrice({ price, discount }: LinePriceProps) {
  return (
    <div className={styles.sum}>
      <Text>{formatYen(price)}</Text>
      {discount > 0 && <Note>割引 {formatDiscount(discount)}</Note>}
    </div>
  );
}
