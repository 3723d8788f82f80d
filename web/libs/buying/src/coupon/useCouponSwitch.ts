import { useQueryClient } from "@tanstack/react-query";
import type { Cart } from "@konomana/cart";
import { formatYen, showBlue } from "@konomana/ui-base";
import { type Coupon, couponKeys, coupons } from "../api";
import { useCartChange } from "../cart/useCartChange";

/**
 * Applies a coupon to the cart or removes it. `isOn` is the displayed state: it changes at once
 * when the switch is pressed, and returns to the server's state if the server refuses.
 */
export function useCouponSwitch({ id, name }: Pick<Coupon, "id" | "name">, cart: Cart) {
  const queries = useQueryClient();
  const isApplied = cart.coupons.some((coupon) => coupon.id === id);
  const change = useCartChange(
    async () => {
      try {
        const now = await (isApplied ? coupons.takeOff(id) : coupons.apply(id));
        announce(now, { id, name });
        return now;
      } finally {
        void queries.invalidateQueries({ queryKey: couponKeys.all });
      }
    },
    isApplied
      ? `クーポン「${name}」を外せませんでした。`
      : `クーポン「${name}」を使えませんでした。`,
  );
  return {
    isOn: isApplied !== change.isPending,
    isBusy: change.isPending,
    toggle: () => change.mutate(undefined),
  };
}

function announce(cart: Cart, { id, name }: Pick<Coupon, "id" | "name">): void {
  const applied = cart.coupons.find((coupon) => coupon.id === id);
  if (applied === undefined) showBlue(`クーポン「${name}」を外しました。`);
  else if (applied.problem === null) showBlue(`${formatYen(applied.amount)}引きになりました。`);
}
