import { formatYen } from "@konomana/ui-base";
import type { Order } from "../api";
import { formatDiscount } from "./formatDiscount";
import styles from "./order.module.css";

interface DiscountSumsProps {
  /** Whole yen, tax included, before the discount. */
  subtotal: number;
  coupons: Order["coupons"];
}

/** What lies between the prices and the total: the subtotal, and what each coupon takes off. Nothing without a coupon. */
export function DiscountSums({ subtotal, coupons }: DiscountSumsProps) {
  if (coupons.length === 0) return null;
  return (
    <dl className={styles.sums}>
      <div>
        <dt>小計</dt>
        <dd>{formatYen(subtotal)}</dd>
      </div>
      {coupons.map(({ id, name, amount }) => (
        <div key={id}>
          <dt>クーポン「{name}」</dt>
          <dd>{formatDiscount(amount)}</dd>
        </div>
      ))}
    </dl>
  );
}
