import { callPublic, everyPage } from "@konomana/http";
import { queryOptions } from "@tanstack/react-query";
import { cartKeys } from "./cartKeys";

/** Prices change rarely. The server computes prices again before a purchase. */
const FRESH_MS = 60_000;

/** A product, also when it is no longer on sale. */
export const productQuery = (id: number) =>
  queryOptions({
    queryKey: cartKeys.product(id),
    queryFn: ({ signal }) =>
      callPublic("GET", "/api/commerce/product/{id}/", { params: { id }, signal }),
    staleTime: FRESH_MS,
  });

/** The products on sale with a monthly price. */
export const monthlyOffersQuery = queryOptions({
  queryKey: cartKeys.monthly,
  queryFn: ({ signal }) =>
    everyPage((link) =>
      callPublic("GET", "/api/commerce/product/", {
        query: { kind: ["subscription"] as const },
        link,
        signal,
      }),
    ),
  staleTime: FRESH_MS,
});

/** The products on sale for the given courses, by course. */
export const productOffersQuery = (courses: readonly number[]) => {
  const course = courses.toSorted((a, b) => a - b);
  return queryOptions({
    queryKey: cartKeys.offers(course),
    queryFn: async ({ signal }) => {
      const query = { kind: ["course"] as const, course };
      const products = await everyPage((link) =>
        callPublic("GET", "/api/commerce/product/", { query, link, signal }),
      );
      return new Map(products.map((product) => [product.course_id, product]));
    },
    enabled: courses.length > 0,
    staleTime: FRESH_MS,
  });
};
