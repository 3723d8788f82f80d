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

export const interviewKindsQuery = queryOptions({
  queryKey: [...interviewKey, "kinds"],
  queryFn: ({ signal }) => call("GET", "/api/desk/interview/kind/", { signal }),
  staleTime: 0,
});

/** The learner's upcoming and past interviews. */
export const interviewsQuery = queryOptions({
  queryKey: [...interviewKey, "list"],
  queryFn: ({ signal }) => call("GET", "/api/desk/interview/", { signal }),
  staleTime: 0,
  refetchOnWindowFocus: true,
  refetchInterval: ({ state }) => findRefetchInterval(state.data?.upcoming[0]?.starts_at),
});

export const interviewQuery = (id: string) =>
  queryOptions({
    queryKey: [...interviewKey, "one", id],
    queryFn: ({ signal }) => call("GET", "/api/desk/interview/{id}/", { params: { id }, signal }),
    staleTime: 0,
  });

/** The week of a day, or without one, of the first free slot. */
export const interviewWeekQuery = (kind: number, day?: string) =>
  queryOptions({
    queryKey: [...interviewKey, "week", kind, day ?? null],
    queryFn: ({ signal }) =>
      call("GET", "/api/desk/interview/kind/{id}/slot/", {
        params: { id: kind },
        query: { day },
        signal,
      }),
    staleTime: 0,
    refetchOnWindowFocus: true,
    // The shown week stays until the next one is loaded, so the links keep the focus.
    placeholderData: (previous, query) => (query?.queryKey.at(-2) === kind ? previous : undefined),
  });

/** Holds a slot. `replaces` is the interview that is cancelled by booking the slot. */
export function holdSlot(id: string, replaces: string | null) {
  return call("PUT", "/api/desk/interview/slot/{id}/hold/", { params: { id }, body: { replaces } });
}

export function releaseSlot(id: string) {
  return call("DELETE", "/api/desk/interview/slot/{id}/hold/", { params: { id } });
}

/** Books the slot that the learner holds. The same idempotency key returns the same interview. */
export function bookInterview(slot: string, idempotencyKey: string) {
  return call("POST", "/api/desk/interview/", { body: { slot }, idempotencyKey });
}

export function cancelInterview(id: string) {
  return call("DELETE", "/api/desk/interview/{id}/", { params: { id } });
}
