import { paths } from "@konomana/paths";
import { defineScreen, hasIdentifier } from "@konomana/screens";
import { schoolEventQuery, schoolEventsQuery } from "./schoolEventCalls";

const mypage = { layout: "mypage", serving: "client", scope: "any" } as const;

/** The screens of events. They open together with those of support. */
export const schoolEventScreens = [
  defineScreen({
    ...mypage,
    pattern: paths.schoolEvents.pattern,
    warm: (queries) => [queries.prefetchQuery(schoolEventsQuery)],
    component: async () => (await import("./SchoolEventsScreen")).SchoolEventsScreen,
  }),
  defineScreen({
    ...mypage,
    pattern: paths.schoolEvent.pattern,
    valid: hasIdentifier,
    warm: (queries, { params: { id = "" } }) => [
      queries.prefetchQuery(schoolEventQuery(Number(id))),
    ],
    component: async () => (await import("./SchoolEventScreen")).SchoolEventScreen,
  }),
];
