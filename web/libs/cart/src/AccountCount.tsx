import { useQuery } from "@tanstack/react-query";
import { cartQuery } from "./api/cartQuery";
import { CartCount } from "./CartCount";

/** How much is in the cart of the signed-in account. Where it can't be asked, the header shows the cart without it. */
export function AccountCount() {
  const { data } = useQuery(cartQuery);
  return <CartCount count={data?.lines.length ?? 0} />;
}
