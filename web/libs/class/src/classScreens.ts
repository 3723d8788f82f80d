import { paths } from "@konomana/paths";
import { defineScreen } from "@konomana/screens";
import { classWeekQuery } from "./classCalls";

export const screens = [
  defineScreen({
    layout: "mypage",
    serving: "client",
    scope: "learner",
    pattern: paths.classWeek.pattern,
    warm: (queries, { search }) => [
      queries.prefetchQuery(classWeekQuery(search.get("day") ?? undefined)),
    ],
    component: async () => (await import("./ClassScreen")).ClassScreen,
  }),
];
