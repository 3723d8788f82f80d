import { PERSONAL } from "@konomana/http";

/** The query keys of the cart. Products do not depend on the account. */
export const cartKeys = {
  cart: [...PERSONAL, "cart"] as const,
  product: (id: number) => ["product", id] as const,
  /** The products on sale with a monthly price. */
  monthly: ["product", { kind: "subscription" }] as const,
  /** The products on sale for the given courses. */
  offers: (courses: readonly number[]) => ["product", { courses }] as const,
};
