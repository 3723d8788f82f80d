import { call, PERSONAL } from "@konomana/http";
import { queryOptions } from "@tanstack/react-query";

/** The account's address. */
export const addressQuery = queryOptions({
  queryKey: [...PERSONAL, "address"],
  queryFn: ({ signal }) => call("GET", "/api/accounts/address/", { signal }),
});
