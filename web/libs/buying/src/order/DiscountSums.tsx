import { formatYen, Group, Stack } from "@konomana/ui-base";
import type { Order } from "../api";
import { formatDiscount } from "./formatDiscount";

interface DiscountSumsProps {
  /** Whole yen, tax included, before the discount. */
  subtotal: number;
  coupons: Order["coupons"];
}

/** The subtotal and the discount of each coupon. Renders nothing without a coupon. */
export function DiscountSums({ subtotal, coupons }: DiscountSumsProps) {
  if (coupons.length === 0) return null;
  return (
    <Stack as="dl" gap="0.25rem">
      <Group justify="space-between" gap="0rem 1rem">
        <dt>小計</dt>
        <dd className="kn-push kn-nowrap">{formatYen(subtotal)}</dd>
      </Group>
      {coupons.map(({ id, name, amount }) => (
        <Group key={id} justify="space-between" gap="0rem 1rem">
          <dt>クーポン「{name}」</dt>
          <dd className="kn-push kn-nowrap">{formatDiscount(amount)}</dd>
        </Group>
      ))}
    </Stack>
  );
}
