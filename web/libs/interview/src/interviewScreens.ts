import { paths } from "@konomana/paths";
import { defineScreen, hasIdentifier, hasInterview, type WarmArgs } from "@konomana/screens";
import {
  interviewKindsQuery,
  interviewQuery,
  interviewsQuery,
  interviewWeekQuery,
} from "./interviewCalls";

// Learners open their own interviews, and guardians those of the child in the address.
const mypage = { layout: "mypage", serving: "client", scope: "any" } as const;

const childIn = ({ search }: WarmArgs) => search.get("child") || undefined;

export const screens = [
  defineScreen({
    ...mypage,
    pattern: paths.interviews.pattern,
    warm: (queries, args) => [queries.prefetchQuery(interviewsQuery(childIn(args)))],
    component: async () => (await import("./InterviewsScreen")).InterviewsScreen,
  }),
  defineScreen({
    ...mypage,
    pattern: paths.interviewKinds.pattern,
    warm: (queries, args) => [
      queries.prefetchQuery(interviewKindsQuery(childIn(args))),
      queries.prefetchQuery(interviewsQuery(childIn(args))),
    ],
    component: async () => (await import("./InterviewKindsScreen")).InterviewKindsScreen,
  }),
  defineScreen({
    ...mypage,
    pattern: paths.interviewSlots.pattern,
    valid: hasIdentifier,
    warm: (queries, args) => {
      const { params, search } = args;
      const day = search.get("day") ?? undefined;
      return [queries.prefetchQuery(interviewWeekQuery(Number(params["id"]), day, childIn(args)))];
    },
    component: async () => (await import("./InterviewSlotsScreen")).InterviewSlotsScreen,
  }),
  defineScreen({
    ...mypage,
    pattern: paths.interviewBooked.pattern,
    valid: hasInterview,
    warm: (queries, args) => [
      queries.prefetchQuery(interviewQuery(args.params["interview"] ?? "", childIn(args))),
    ],
    component: async () => (await import("./InterviewBookedScreen")).InterviewBookedScreen,
  }),
];
