import { type Answer, callPublic } from "@konomana/http";
import { queryOptions } from "@tanstack/react-query";

/** A period during which the site or a part of it is closed. */
export type MaintenanceWindow = Answer<"GET", "/api/maintenance/">["windows"][number];

/** Fetches the maintenance windows that are active or begin within a day. */
export function fetchMaintenance(signal: AbortSignal): Promise<Answer<"GET", "/api/maintenance/">> {
  return callPublic("GET", "/api/maintenance/", { signal });
}

export const maintenanceQuery = queryOptions({
  queryKey: ["maintenance"],
  queryFn: ({ signal }) => fetchMaintenance(signal),
});
