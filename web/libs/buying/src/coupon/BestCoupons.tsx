import { type Cart, cartQuery } from "@konomana/cart";
import { Button, Lines, Note, Text, TitledPanel } from "@konomana/ui-base";
import { useQueryClient } from "@tanstack/react-query";
import { type Coupon, couponKeys, type CouponList, coupons } from "../api";
import { useCartChange } from "../cart/useCartChange";
import { formatDiscount } from "../order/formatDiscount";

interface BestCouponsProps {
  list: CouponList;
  cart: Cart;
}

/** Suggests the coupons with the largest discount on the cart. One press applies them. */
export function BestCoupons({ list: { mine, best }, cart }: BestCouponsProps) {
  const queries = useQueryClient();
  const working = new Set(cart.coupons.flatMap(({ id, problem }) => (problem === null ? id : [])));
  const missing = best.filter((id) => !working.has(id));
  const applying = useCartChange(async () => {
    try {
      let now = cart;
      for (const id of missing) {
        // Sequential, because each response is the whole cart.
        // oxlint-disable-next-line no-await-in-loop
        now = await coupons.apply(id);
        queries.setQueryData(cartQuery.queryKey, now);
      }
      return now;
    } finally {
      void queries.invalidateQueries({ queryKey: couponKeys.all });
    }
  }, "クーポンを使えませんでした。");
  if (best.length === 0) return null;
  if (missing.length === 0)
    return (
      <Note role="status">
        いちばんお得な{best.length === 1 ? "クーポン" : "組み合わせ"}を使っています。
      </Note>
    );
  const proposed = best.flatMap((id) => mine.find((coupon) => coupon.id === id) ?? []);
  return (
    <TitledPanel
      gap="sm"
      title={`このカートでいちばんお得な${best.length === 1 ? "クーポン" : "組み合わせ"}`}
    >
      <Lines>
        {proposed.map((coupon) => (
          <Proposed key={coupon.id} coupon={coupon} />
        ))}
      </Lines>
      {proposed.length > 1 && (
        <Note>割引率（%）のクーポンを先に計算してから、金額（円）のクーポンを引きます。</Note>
      )}
      <Button busy={applying.isPending} onClick={() => applying.mutate(undefined)}>
        {best.length === 1 ? "このクーポンを使う" : "この組み合わせを使う"}
      </Button>
    </TitledPanel>
  );
}

function Proposed({ coupon: { name, saving } }: { coupon: Coupon }) {
  return (
    <li className="kn-row">
      <Text bold className="kn-grow">
        {name}
      </Text>
      <Text>{formatDiscount(saving)}</Text>
    </li>
  );
}
