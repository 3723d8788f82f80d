import type { Cart } from "@konomana/cart";
import { Button } from "@konomana/ui-base";
import type { Coupon } from "../api";
import { useCouponSwitch } from "./useCouponSwitch";

interface CouponSwitchProps {
  coupon: Pick<Coupon, "id" | "name">;
  cart: Cart;
}

/** Switch that applies a coupon to the cart or removes it. */
export function CouponSwitch({ coupon, cart }: CouponSwitchProps) {
  const { isOn, isBusy, toggle } = useCouponSwitch(coupon, cart);
  return (
    <Button
      variant={isOn ? "default" : "filled"}
      busy={isBusy}
      aria-label={`${isOn ? "外す" : "使う"}（${coupon.name}）`}
      onClick={toggle}
    >
      {isOn ? "外す" : "使う"}
    </Button>
  );
}
