import { type Answer, call, PERSONAL } from "@konomana/http";
import { queryOptions } from "@tanstack/react-query";

/** An event, with the entries of the person and of those whom they signed up. */
export type SchoolEvent = Answer<"GET", "/api/desk/event/{id}/">;
export type EventEntry = SchoolEvent["entries"][number];
export type Child = Answer<"GET", "/api/accounts/guardian/children/">["results"][number];

/** The prefix of every query of events. */
export const schoolEventKey = [...PERSONAL, "school-event"] as const;

/** How often a visible page asks again while a place may become free. */
const AGAIN_MS = 20_000;

/** Whether the entry has a place or may get one. */
export function isActive({ state }: EventEntry): boolean {
  return state !== "cancelled" && state !== "lapsed";
}

/** Whether time or other people can change the entries of the event. */
function isPending({ entries }: SchoolEvent): boolean {
  return entries.some(({ state }) => state === "waiting" || state === "offered");
}

/** All events. */
export const schoolEventsQuery = queryOptions({
  queryKey: [...schoolEventKey, "list"],
  queryFn: async ({ signal }) => (await call("GET", "/api/desk/event/", { signal })).results,
  staleTime: 0,
  refetchOnWindowFocus: true,
});

/** One event. */
export const schoolEventQuery = (id: number) =>
  queryOptions({
    queryKey: [...schoolEventKey, "one", id],
    queryFn: ({ signal }) => call("GET", "/api/desk/event/{id}/", { params: { id }, signal }),
    staleTime: 0,
    refetchOnWindowFocus: true,
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && isPending(data) ? AGAIN_MS : false,
  });

/** The children of the signed-in guardian. The home of guardians has the same query. */
export const childrenQuery = queryOptions({
  queryKey: [...PERSONAL, "children"],
  queryFn: async ({ signal }) =>
    (await call("GET", "/api/accounts/guardian/children/", { signal })).results,
});

/** Signs up: a linked child, or the person (`null`). */
export function signUp(event: number, child: string | null): Promise<SchoolEvent> {
  return call("POST", "/api/desk/event/{id}/entry/", { params: { id: event }, body: { child } });
}

/** Accepts the offer of a place. */
export function acceptPlace(entry: string): Promise<SchoolEvent> {
  return call("POST", "/api/desk/event/entry/{id}/accept/", { params: { id: entry } });
}

/** Gives up a place, an offer or a position of the waiting list. */
export function cancelEntry(entry: string): Promise<SchoolEvent> {
  return call("DELETE", "/api/desk/event/entry/{id}/", { params: { id: entry } });
}
