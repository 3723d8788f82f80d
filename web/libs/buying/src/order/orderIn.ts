import { hasOrder } from "@konomana/screens";

/** The order that the address of a payment screen names; null where it names none. */
export function orderIn(search: URLSearchParams): string | null {
  const order = search.get("order") ?? "";
  return hasOrder({ order }) ? order : null;
}
