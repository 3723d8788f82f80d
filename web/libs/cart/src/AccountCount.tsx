import { useQuery } from "@tanstack/react-query";
import { cartQuery } from "./api/cartQuery";
import { CartCount } from "./CartCount";

/**
 * The number of items in the cart of the signed-in account. If the cart can't be loaded, the header
 * shows no number.
 */
export function AccountCount() {
  const { data } = useQuery(cartQuery);
  return <CartCount count={data?.lines.length ?? 0} />;
}
