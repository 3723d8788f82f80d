import { hasOrder } from "@konomana/screens";

/** The order id in the address of a payment screen, `null` if there is none. */
export function orderIn(search: URLSearchParams): string | null {
  const order = search.get("order") ?? "";
  return hasOrder({ order }) ? order : null;
}
