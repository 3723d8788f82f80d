import { type Answer, callPublic } from "@konomana/http";
import { queryOptions } from "@tanstack/react-query";

/** A time during which the site, or a part of it, is closed. */
export type MaintenanceWindow = Answer<"GET", "/api/maintenance/">["windows"][number];

/** Maintenance windows that are active or begin within a day. */
export const maintenanceQuery = queryOptions({
  queryKey: ["maintenance"],
  queryFn: ({ signal }) => callPublic("GET", "/api/maintenance/", { signal }),
});
