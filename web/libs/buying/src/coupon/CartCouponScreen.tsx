import { type Cart, cartQuery } from "@konomana/cart";
import { paths } from "@konomana/paths";
import { combineQueries, QueryBoundary } from "@konomana/query";
import { ButtonLink, Group, LoadingState, Page, Panel } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { type Coupon, couponQuery } from "../api";
import { CartSums } from "../cart/CartSums";
import { isOffered } from "./CartCouponsScreen";
import { CouponConditions } from "./CouponConditions";
import { Saving, UsedIn } from "./CouponRow";
import { CouponState } from "./CouponState";
import { CouponSwitch } from "./CouponSwitch";
import { discountWords } from "./couponWords";
import { ForBuyers } from "./ForBuyers";

/** /cart/coupon/{id}: one coupon with its conditions and its discount on the cart. */
export function CartCouponScreen() {
  return (
    <ForBuyers>
      <CartCoupon />
    </ForBuyers>
  );
}

function CartCoupon() {
  const { id = "" } = useParams();
  const query = combineQueries([
    useQuery(couponQuery(Number(id))),
    useQuery({ ...cartQuery, refetchOnMount: "always" }),
  ]);
  const loading = (
    <Page title="クーポン" narrow>
      <LoadingState rows={2} height="12rem" />
    </Page>
  );
  return (
    <QueryBoundary query={query} loading={loading}>
      {([coupon, cart]) => <Detail coupon={coupon} cart={cart} />}
    </QueryBoundary>
  );
}

function Detail({ coupon, cart }: { coupon: Coupon; cart: Cart }) {
  return (
    <Page title={coupon.name} lead={coupon.description} narrow>
      <Panel as="section" gap="sm" aria-label="このカートで使う">
        <p className="kn-figure">{discountWords(coupon.discount)}</p>
        <CouponState coupon={coupon} />
        {coupon.state === "usable" && <Saving coupon={coupon} subtotal={cart.subtotal} />}
        <UsedIn coupon={coupon} />
        <CartSums cart={cart} />
        <Group actions>
          {isOffered(coupon, cart) && <CouponSwitch coupon={coupon} cart={cart} />}
          <ButtonLink to={paths.cart()} variant="default">
            カートに戻る
          </ButtonLink>
          <ButtonLink to={paths.cartCoupons()} variant="quiet">
            ほかのクーポンを見る
          </ButtonLink>
        </Group>
      </Panel>
      <Panel as="section" aria-label="クーポンの条件">
        <CouponConditions coupon={coupon} />
      </Panel>
    </Page>
  );
}
