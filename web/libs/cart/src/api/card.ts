import { call, PERSONAL } from "@konomana/http";
import { queryOptions } from "@tanstack/react-query";

/** What is done with the saved card, call by call. Failures are `ApiError`s. */
export const cardApi = {
  find: async (signal?: AbortSignal) => (await call("GET", "/api/commerce/card/", { signal })).card,

  /** Gives the provider's page on which a card is saved. */
  setUp: () => call("POST", "/api/commerce/card/setup/"),

  /** Asks the provider about the card now. */
  check: async () => (await call("POST", "/api/commerce/card/check/")).card,

  remove: () => call("DELETE", "/api/commerce/card/"),
};

/** The saved card of the account; null where it has none. Always asked anew. */
export const cardQuery = queryOptions({
  queryKey: [...PERSONAL, "card"],
  queryFn: ({ signal }) => cardApi.find(signal),
});
