import { type Cart, cartQuery } from "@konomana/cart";
import { paths } from "@konomana/paths";
import { combineQueries, QueryBoundary } from "@konomana/query";
import { ButtonLink, LoadingState, Note, Page, Panel, showBlue, Stack } from "@konomana/ui-base";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type Coupon, couponKeys, type CouponList, coupons, couponsQuery } from "../api";
import { CartSums } from "../cart/CartSums";
import { useCartChange } from "../cart/useCartChange";
import { BestCoupons } from "./BestCoupons";
import { CodeForm } from "./CodeForm";
import { CouponRow } from "./CouponRow";
import { CouponSections } from "./CouponSections";
import { CouponSwitch } from "./CouponSwitch";
import { ForBuyers } from "./ForBuyers";

/**
 * /cart/coupon: the coupons of the account with their discounts on the cart, and the field for a
 * code.
 */
export function CartCouponsScreen() {
  return (
    <ForBuyers>
      <CartCoupons />
    </ForBuyers>
  );
}

function CartCoupons() {
  const query = combineQueries([
    useQuery(couponsQuery),
    useQuery({ ...cartQuery, refetchOnMount: "always" }),
  ]);
  return (
    <Page
      title="クーポン"
      lead="割引率（%）のクーポンと金額（円）のクーポンを、1枚ずつ使えます。同じ種類のクーポンを選ぶと、入れかわります。"
    >
      <QueryBoundary query={query} loading={<LoadingState rows={3} height="8rem" />}>
        {([list, cart]) => <Choice list={list} cart={cart} />}
      </QueryBoundary>
    </Page>
  );
}

interface ChoiceProps {
  list: CouponList;
  cart: Cart;
}

function Choice({ list, cart }: ChoiceProps) {
  const apply = useApplyClaimed(list, cart);
  return (
    <div className="kn-columns">
      <Stack gap="lg">
        <BestCoupons list={list} cart={cart} />
        <CodeForm onClaimed={apply} />
        <CouponSections coupons={list.mine}>
          {(coupon) => (
            <CouponRow
              key={coupon.id}
              coupon={coupon}
              to={paths.cartCoupon(coupon.id)}
              subtotal={cart.subtotal}
            >
              {isOffered(coupon, cart) && <CouponSwitch coupon={coupon} cart={cart} />}
            </CouponRow>
          )}
        </CouponSections>
      </Stack>
      <Panel as="section" gap="sm" className="kn-sticky" aria-label="合計">
        <CartSums cart={cart} />
        <ButtonLink to={paths.cart()} size="lg" fullWidth>
          カートに戻る
        </ButtonLink>
        {cart.open_order !== null && (
          <Note>お支払い手続き中のご注文には、クーポンを使えません。</Note>
        )}
      </Panel>
    </div>
  );
}

/** Whether a coupon is applied or can be. A coupon without a discount is not offered. */
export function isOffered(coupon: Coupon, cart: Cart): boolean {
  return coupon.problem === null || cart.coupons.some(({ id }) => id === coupon.id);
}

/** Applies a coupon whose code was just claimed, unless it would replace another one. */
function useApplyClaimed(list: CouponList, cart: Cart) {
  const queries = useQueryClient();
  const applying = useCartChange(async (id: number) => {
    try {
      return await coupons.apply(id);
    } finally {
      void queries.invalidateQueries({ queryKey: couponKeys.all });
    }
  }, "クーポンを追加しましたが、カートで使えませんでした。");
  return (coupon: Coupon) => {
    showBlue(`クーポン「${coupon.name}」を追加しました。`);
    const kinds = cart.coupons.map(
      ({ id }) => list.mine.find((one) => one.id === id)?.discount.kind,
    );
    if (coupon.problem === null && !kinds.includes(coupon.discount.kind))
      applying.mutate(coupon.id);
  };
}
