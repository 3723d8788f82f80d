import { Badge } from "@konomana/ui-base";
import type { Coupon } from "../api";

const states = {
  used: { name: "使用済み", color: "gray" },
  expired: { name: "期限切れ", color: "gray" },
  used_up: { name: "受付終了", color: "gray" },
  not_started: { name: "まだ使えません", color: "blue" },
} as const;

/** Badge with the state of a coupon. Renders nothing for a usable one. */
export function CouponState({ coupon: { state } }: { coupon: Coupon }) {
  if (state === "usable") return null;
  const { name, color } = states[state];
  return (
    <Badge color={color} variant="outline" size="lg">
      {name}
    </Badge>
  );
}
