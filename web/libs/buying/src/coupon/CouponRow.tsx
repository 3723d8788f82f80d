import { paths } from "@konomana/paths";
import { formatDate, formatLastDay, formatYen, Note, Text, TextLink } from "@konomana/ui-base";
import type { ReactNode } from "react";
import type { Coupon } from "../api";
import { CouponState } from "./CouponState";
import { discountWords, reasonOf } from "./couponWords";

interface CouponRowProps {
  coupon: Coupon;
  /** The address of the coupon's screen. */
  to: string;
  /** The price of the cart's lines in yen. Absent outside the cart. */
  subtotal?: number;
  /** Actions for the coupon. */
  children?: ReactNode;
}

/** A coupon in a list: its discount, its end, and its saving on the cart or the reason for none. */
export function CouponRow({ coupon, to, subtotal, children }: CouponRowProps) {
  return (
    <li className="kn-row kn-roomy">
      <div className="kn-grow">
        <TextLink strong to={to}>
          {coupon.name}
        </TextLink>
        <Text bold>{discountWords(coupon.discount)}</Text>
        {coupon.ends_at !== null && <Note>{formatLastDay(coupon.ends_at)}まで</Note>}
        <CouponState coupon={coupon} />
        {coupon.state === "usable" && subtotal !== undefined && (
          <Saving coupon={coupon} subtotal={subtotal} />
        )}
        <UsedIn coupon={coupon} />
      </div>
      <div className="kn-push">{children}</div>
    </li>
  );
}

/** The discount of a coupon on the cart, or the reason for none. */
export function Saving({ coupon, subtotal }: { coupon: Coupon; subtotal: number }) {
  const reason = reasonOf(coupon, subtotal);
  if (reason !== null) return <Text size="sm">{reason}</Text>;
  return (
    <Text size="sm" accent bold>
      いまのカートで{formatYen(coupon.saving)}お得
    </Text>
  );
}

/**
 * The time and the order of a coupon's use. An order that awaits its payment reserves the coupon.
 */
export function UsedIn({ coupon: { used_at, used_order_id } }: { coupon: Coupon }) {
  if (used_at === null && used_order_id === null) return null;
  return (
    <div>
      <Note>
        {used_at === null
          ? "お支払い手続き中のご注文で使っています。"
          : `${formatDate(used_at)}に使いました。`}
      </Note>
      {used_order_id !== null && (
        <TextLink size="sm" to={paths.order(used_order_id)}>
          使ったご注文を見る
        </TextLink>
      )}
    </div>
  );
}
