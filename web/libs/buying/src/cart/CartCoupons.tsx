import type { Cart, CartCoupon } from "@konomana/cart";
import { paths } from "@konomana/paths";
import { Group, Stack, Text, TextLink } from "@konomana/ui-base";
import { CouponSwitch } from "../coupon/CouponSwitch";
import { problemSentence } from "../coupon/couponWords";

/**
 * The coupons of the cart, each with a button that removes it and with the reason if it gives no
 * discount. Links to the other coupons.
 */
export function CartCoupons({ cart }: { cart: Cart }) {
  return (
    <Stack gap="xs">
      {cart.coupons.length > 0 && (
        <ul aria-label="カートのクーポン">
          {cart.coupons.map((coupon) => (
            <Applied key={coupon.id} coupon={coupon} cart={cart} />
          ))}
        </ul>
      )}
      <TextLink to={paths.cartCoupons()}>
        {cart.coupons.length === 0 ? "クーポンを使う" : "クーポンを変える"}
      </TextLink>
    </Stack>
  );
}

function Applied({ coupon, cart }: { coupon: CartCoupon; cart: Cart }) {
  const { id, name, problem } = coupon;
  return (
    <Group as="li" gap="0.25rem 0.75rem" nowrap>
      <div className="kn-grow">
        <TextLink strong to={paths.cartCoupon(id)}>
          {name}
        </TextLink>
        {problem !== null && (
          <Text size="sm" accent bold>
            {problemSentence(problem)}
          </Text>
        )}
      </div>
      <CouponSwitch coupon={coupon} cart={cart} />
    </Group>
  );
}
