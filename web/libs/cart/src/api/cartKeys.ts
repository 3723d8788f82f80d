import { PERSONAL } from "@konomana/http";

/** The keys of the cart's queries. Products belong to no account. */
export const cartKeys = {
  cart: [...PERSONAL, "cart"] as const,
  product: (id: number) => ["product", id] as const,
  /** The products on sale that are paid by the month. */
  monthly: ["product", { kind: "subscription" }] as const,
  /** The products on sale of some courses. */
  offers: (courses: readonly number[]) => ["product", { courses }] as const,
};
