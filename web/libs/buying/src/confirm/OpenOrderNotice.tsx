import { cartQuery } from "@konomana/cart";
import { useQuery } from "@tanstack/react-query";
import { OpenOrderPanel } from "../cart/OpenOrderPanel";

/** The open order, if there is one. It must be paid or cancelled before another order. */
export function OpenOrderNotice() {
  const { data } = useQuery({ ...cartQuery, refetchOnMount: "always" });
  const order = data?.open_order ?? null;
  return order !== null && <OpenOrderPanel order={order} />;
}
