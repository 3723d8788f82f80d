import { type Answer, call, PERSONAL } from "@konomana/http";
import { findRefetchInterval } from "@konomana/query";
import { queryOptions } from "@tanstack/react-query";

export type InterviewKinds = Answer<"GET", "/api/desk/interview/kind/">;
export type Interviews = Answer<"GET", "/api/desk/interview/">;
export type Interview = Answer<"GET", "/api/desk/interview/{id}/">;
/** The free slots of a week, and the slot that the learner holds. */
export type InterviewWeek = Answer<"GET", "/api/desk/interview/kind/{id}/slot/">;
export type InterviewSlot = InterviewWeek["slots"][number];
export type InterviewHold = NonNullable<InterviewWeek["hold"]>;

/** The prefix of every query of this library. */
export const interviewKey = [...PERSONAL, "interview"] as const;

/** The account of the child for whom a guardian calls; `undefined`: the learner calls. */
export type ChildId = string | undefined;

/** Id of 三者面談. */
const PARENTS = 3;

/** Whether the reader takes part: a learner always, the guardian of `child` in 三者面談 only. */
export const canJoin = (kind: number, child: ChildId) => child === undefined || kind === PARENTS;

export const interviewKindsQuery = (child?: ChildId) =>
  queryOptions({
    queryKey: [...interviewKey, child ?? null, "kinds"],
    queryFn: ({ signal }) => call("GET", "/api/desk/interview/kind/", { query: { child }, signal }),
    staleTime: 0,
  });

/** The learner's upcoming and past interviews. */
export const interviewsQuery = (child?: ChildId) =>
  queryOptions({
    queryKey: [...interviewKey, child ?? null, "list"],
    queryFn: ({ signal }) => call("GET", "/api/desk/interview/", { query: { child }, signal }),
    staleTime: 0,
    refetchOnWindowFocus: true,
    refetchInterval: ({ state }) => findRefetchInterval(state.data?.upcoming[0]?.starts_at),
  });

export const interviewQuery = (id: string, child?: ChildId) =>
  queryOptions({
    queryKey: [...interviewKey, child ?? null, "one", id],
    queryFn: ({ signal }) =>
      call("GET", "/api/desk/interview/{id}/", { params: { id }, query: { child }, signal }),
    staleTime: 0,
  });

/** The week of a day, or without one, of the first free slot. */
export const interviewWeekQuery = (kind: number, day?: string, child?: ChildId) =>
  queryOptions({
    queryKey: [...interviewKey, child ?? null, "week", kind, day ?? null],
    queryFn: ({ signal }) =>
      call("GET", "/api/desk/interview/kind/{id}/slot/", {
        params: { id: kind },
        query: { day, child },
        signal,
      }),
    staleTime: 0,
    refetchOnWindowFocus: true,
    // The shown week stays until the next one is loaded, so the links keep the focus.
    placeholderData: (previous, query) => (query?.queryKey.at(-2) === kind ? previous : undefined),
  });

/** Holds a slot. `replaces` is the interview that is cancelled by booking the slot. */
export function holdSlot(id: string, replaces: string | null, child: ChildId) {
  return call("PUT", "/api/desk/interview/slot/{id}/hold/", {
    params: { id },
    query: { child },
    body: { replaces },
  });
}

export function releaseSlot(id: string, child: ChildId) {
  return call("DELETE", "/api/desk/interview/slot/{id}/hold/", {
    params: { id },
    query: { child },
  });
}

/** Books the slot that the learner holds. The same idempotency key returns the same interview. */
export function bookInterview(slot: string, idempotencyKey: string, child: ChildId) {
  return call("POST", "/api/desk/interview/", { query: { child }, body: { slot }, idempotencyKey });
}

export function cancelInterview(id: string, child: ChildId) {
  return call("DELETE", "/api/desk/interview/{id}/", { params: { id }, query: { child } });
}
