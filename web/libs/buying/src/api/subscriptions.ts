import { call, PERSONAL } from "@konomana/http";
import { queryOptions } from "@tanstack/react-query";

/** What is done with subscriptions, call by call; each answers the subscription. Failures are `ApiError`s. */
export const subscriptions = {
  /** It ends with its period, and can be used until then. */
  cancel: (id: string) =>
    call("POST", "/api/commerce/subscription/{id}/cancel/", { params: { id } }),

  /** Takes a cancellation back: the next period is charged again. */
  resume: (id: string) =>
    call("POST", "/api/commerce/subscription/{id}/resume/", { params: { id } }),
};

/** The keys of subscriptions. `all` begins every one of them. */
export const subscriptionKeys = {
  all: [...PERSONAL, "subscription"] as const,
};

/** The subscriptions of the account, newest first. */
export const subscriptionsQuery = queryOptions({
  queryKey: [...subscriptionKeys.all, "list"],
  queryFn: ({ signal }) => call("GET", "/api/commerce/subscription/", { signal }),
});

export const subscriptionQuery = (id: string) =>
  queryOptions({
    queryKey: [...subscriptionKeys.all, id],
    queryFn: ({ signal }) =>
      call("GET", "/api/commerce/subscription/{id}/", { params: { id }, signal }),
  });
