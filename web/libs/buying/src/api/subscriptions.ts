import { call, PERSONAL } from "@konomana/http";
import { queryOptions } from "@tanstack/react-query";

/** The API calls for subscriptions. Each returns the subscription. Failures are `ApiError`s. */
export const subscriptions = {
  /** Cancels at the end of the period. The subscription can be used until then. */
  cancel: (id: string) =>
    call("POST", "/api/commerce/subscription/{id}/cancel/", { params: { id } }),

  /** Reverts a cancellation: the next period is charged again. */
  resume: (id: string) =>
    call("POST", "/api/commerce/subscription/{id}/resume/", { params: { id } }),
};

/** The query keys of subscriptions. `all` is their common prefix. */
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
