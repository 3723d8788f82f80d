import { call, PERSONAL } from "@konomana/http";
import { queryOptions } from "@tanstack/react-query";

/** The API calls for the saved card. Failures are `ApiError`s. */
export const cardApi = {
  find: async (signal?: AbortSignal) => (await call("GET", "/api/commerce/card/", { signal })).card,

  /** Returns the URL of the provider's page that saves a card. */
  setUp: () => call("POST", "/api/commerce/card/setup/"),

  /** Asks the payment provider for the current card. */
  check: async () => (await call("POST", "/api/commerce/card/check/")).card,

  remove: () => call("DELETE", "/api/commerce/card/"),
};

/** The saved card of the account, `null` if there is none. Refetched on every use. */
export const cardQuery = queryOptions({
  queryKey: [...PERSONAL, "card"],
  queryFn: ({ signal }) => cardApi.find(signal),
});
