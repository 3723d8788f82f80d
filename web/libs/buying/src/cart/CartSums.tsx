import { type Cart, cartKeys } from "@konomana/cart";
import { formatPrice, Text } from "@konomana/ui-base";
import { useIsMutating } from "@tanstack/react-query";
import { DiscountSums } from "../order/DiscountSums";

/**
 * The sums of the cart: subtotal and coupon discounts (only with coupons), and the total. Marked as
 * busy while the cart changes.
 */
export function CartSums({ cart: { lines, subtotal, coupons, total } }: { cart: Cart }) {
  const isChanging = useIsMutating({ mutationKey: cartKeys.cart }) > 0;
  const buyable = lines.filter(({ is_ordered, problem }) => !is_ordered && problem === null).length;
  return (
    <>
      <DiscountSums
        subtotal={subtotal}
        coupons={coupons.filter(({ problem }) => problem === null)}
      />
      <div role="status">
        <Text>{isChanging ? "合計を計算しています…" : `合計（${buyable}点）`}</Text>
        <p className={isChanging ? "kn-figure kn-soft" : "kn-figure"}>{formatPrice(total)}</p>
      </div>
    </>
  );
}
