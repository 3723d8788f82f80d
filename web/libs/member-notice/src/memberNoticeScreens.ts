import { paths } from "@konomana/paths";
import { pageIn } from "@konomana/query";
import { defineScreen, hasIdentifier } from "@konomana/screens";
import { memberNoticeQuery, memberNoticesQuery } from "./memberNoticeCalls";

const mypage = { layout: "mypage", serving: "client", scope: "any" } as const;

/** The screens with the notices for a person. They open together with those of support. */
export const memberNoticeScreens = [
  defineScreen({
    ...mypage,
    pattern: paths.memberNotices.pattern,
    warm: (queries, { search }) => [queries.prefetchQuery(memberNoticesQuery(pageIn(search)))],
    component: async () => (await import("./MemberNoticesScreen")).MemberNoticesScreen,
  }),
  defineScreen({
    ...mypage,
    pattern: paths.memberNotice.pattern,
    valid: hasIdentifier,
    warm: (queries, { params: { id = "" } }) => [
      queries.prefetchQuery(memberNoticeQuery(Number(id))),
    ],
    component: async () => (await import("./MemberNoticeScreen")).MemberNoticeScreen,
  }),
];
