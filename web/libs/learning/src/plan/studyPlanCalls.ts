import { type Answer, call, PERSONAL } from "@konomana/http";
import { queryOptions } from "@tanstack/react-query";

/** The lessons of 14 days, today first. */
export type StudyPlan = Answer<"GET", "/api/lms/study-plan/">;
export type PlannedDay = StudyPlan["days"][number];
export type PlannedLesson = PlannedDay["lessons"][number];
export type PlannedHomework = PlannedDay["homework"][number];
export type PlanShortfall = StudyPlan["shortfalls"][number];

/** The learner's plan. Watching and the date change it, so it is refetched every time. */
export const studyPlanQuery = queryOptions({
  queryKey: [...PERSONAL, "study-plan"],
  queryFn: ({ signal }) => call("GET", "/api/lms/study-plan/", { signal }),
  staleTime: 0,
  refetchOnWindowFocus: true,
});

/**
 * Stores the minutes a day. 0 switches the plan off. A request that is running survives leaving the
 * page; a change that waits behind it does not.
 */
export function setStudyMinutes(minutes: number) {
  return call("PUT", "/api/lms/study-plan/", { body: { minutes }, keepalive: true });
}
