import { cartQuery } from "@konomana/cart";
import { useQuery } from "@tanstack/react-query";
import { OpenOrderPanel } from "../cart/OpenOrderPanel";

/** The order that has to be paid or cancelled before another one, where there is one. */
export function OpenOrderNotice() {
  const { data } = useQuery({ ...cartQuery, refetchOnMount: "always" });
  const order = data?.open_order ?? null;
  return order !== null && <OpenOrderPanel order={order} />;
}
