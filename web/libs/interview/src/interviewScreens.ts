import { paths } from "@konomana/paths";
import { defineScreen, hasIdentifier, hasInterview } from "@konomana/screens";
import {
  interviewKindsQuery,
  interviewQuery,
  interviewsQuery,
  interviewWeekQuery,
} from "./interviewCalls";

const learner = { layout: "mypage", serving: "client", scope: "learner" } as const;

export const screens = [
  defineScreen({
    ...learner,
    pattern: paths.interviews.pattern,
    warm: (queries) => [queries.prefetchQuery(interviewsQuery)],
    component: async () => (await import("./InterviewsScreen")).InterviewsScreen,
  }),
  defineScreen({
    ...learner,
    pattern: paths.interviewKinds.pattern,
    warm: (queries) => [
      queries.prefetchQuery(interviewKindsQuery),
      queries.prefetchQuery(interviewsQuery),
    ],
    component: async () => (await import("./InterviewKindsScreen")).InterviewKindsScreen,
  }),
  defineScreen({
    ...learner,
    pattern: paths.interviewSlots.pattern,
    valid: hasIdentifier,
    warm: (queries, { params: { id = "" }, search }) => [
      queries.prefetchQuery(interviewWeekQuery(Number(id), search.get("day") ?? undefined)),
    ],
    component: async () => (await import("./InterviewSlotsScreen")).InterviewSlotsScreen,
  }),
  defineScreen({
    ...learner,
    pattern: paths.interviewBooked.pattern,
    valid: hasInterview,
    warm: (queries, { params: { interview = "" } }) => [
      queries.prefetchQuery(interviewQuery(interview)),
    ],
    component: async () => (await import("./InterviewBookedScreen")).InterviewBookedScreen,
  }),
];
