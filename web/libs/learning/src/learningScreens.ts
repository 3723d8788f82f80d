import {
  bookmarkedCoursesQuery,
  bookmarkQuery,
  favoriteQuery,
  inventoryItemQuery,
  inventoryQuery,
  wholeInventoryQuery,
} from "@konomana/learner";
import { paths } from "@konomana/paths";
import { pageIn } from "@konomana/query";
import {
  defineScreen,
  hasAccount,
  hasIdentifier,
  hasQuestion,
  hasResult,
  type WarmArgs,
} from "@konomana/screens";
import { ensureUser } from "@konomana/session";
import type { QueryClient } from "@tanstack/react-query";
import {
  childOverviewQuery,
  childrenQuery,
  examReviewsQuery,
  growthQuery,
  openedLessonQuery,
  questionQuery,
  resultQuery,
  resultsQuery,
} from "./api";
import { stateIn } from "./courses/stateIn";
import { startStreamEarly } from "./lecture/watching/earlyStream";
import { courseIn } from "./favorites/courseIn";

const mypage = { layout: "mypage", serving: "client" } as const;
const learner = { ...mypage, scope: "learner" } as const;
/** A question or a result, shown beside its lesson. */
const besideLesson = { layout: "lecturev2", scope: "learner", serving: "client" } as const;

const warmLesson = (queries: QueryClient, { params: { id = "" } }: WarmArgs) => [
  queries.prefetchQuery(openedLessonQuery(id)),
];

export const screens = [
  defineScreen({
    ...mypage,
    pattern: paths.mypage.pattern,
    scope: "any",
    component: async () => (await import("./home/MypageScreen")).MypageScreen,
  }),
  defineScreen({
    ...learner,
    pattern: paths.ownedCourses.pattern,
    warm: (queries, { search }) => [
      queries.prefetchQuery(inventoryQuery(pageIn(search), null, stateIn(search))),
    ],
    component: async () => (await import("./courses/OwnedCoursesScreen")).OwnedCoursesScreen,
  }),
  defineScreen({
    ...learner,
    pattern: paths.ownedCourse.pattern,
    valid: hasIdentifier,
    warm: (queries, { params: { id = "" } }) => [
      queries.prefetchQuery(inventoryItemQuery(id)),
      queries.prefetchQuery(bookmarkedCoursesQuery),
    ],
    component: async () => (await import("./course/OwnedCourseScreen")).OwnedCourseScreen,
  }),
  defineScreen({
    ...learner,
    pattern: paths.lesson.pattern,
    valid: hasIdentifier,
    warm: warmLesson,
    component: async () => (await import("./lesson/LessonScreen")).LessonScreen,
  }),
  defineScreen({
    ...mypage,
    pattern: paths.recent.pattern,
    // Visitors see the courses viewed in this browser. If the user can't be loaded, they count as a
    // visitor.
    load: () => ensureUser().catch(() => null),
    component: async () => (await import("./recent/RecentScreen")).RecentScreen,
  }),
  defineScreen({
    ...learner,
    pattern: paths.bookmarks.pattern,
    warm: (queries, { search }) => [
      queries.prefetchQuery(bookmarkQuery(pageIn(search))),
      queries.prefetchQuery(wholeInventoryQuery),
    ],
    component: async () => (await import("./bookmarks/BookmarksScreen")).BookmarksScreen,
  }),
  defineScreen({
    ...mypage,
    pattern: paths.child.pattern,
    scope: "guardian",
    valid: hasAccount,
    warm: (queries, { params: { account = "" } }) => [
      queries.prefetchQuery(childOverviewQuery(account)),
      queries.prefetchQuery(childrenQuery),
    ],
    component: async () => (await import("./guardian/ChildScreen")).ChildScreen,
  }),
  defineScreen({
    ...learner,
    pattern: paths.guardianView.pattern,
    component: async () => (await import("./guardian/GuardianViewScreen")).GuardianViewScreen,
  }),
  defineScreen({
    pattern: paths.certificateCheck.pattern,
    layout: "default",
    serving: "prerendered",
    component: async () =>
      (await import("./certificate/CertificateCheckScreen")).CertificateCheckScreen,
    crumbs: () => [{ label: "修了証を確かめる", to: paths.certificateCheck() }],
  }),
  defineScreen({
    pattern: paths.certificate.pattern,
    layout: "default",
    serving: "client",
    component: async () =>
      (await import("./certificate/CheckedCertificateScreen")).CheckedCertificateScreen,
  }),
  defineScreen({
    ...learner,
    pattern: paths.favorites.pattern,
    warm: (queries, { search }) => [
      queries.prefetchQuery(
        favoriteQuery({ page: pageIn(search), course: courseIn(search) ?? undefined }),
      ),
      queries.prefetchQuery(wholeInventoryQuery),
    ],
    component: async () => (await import("./favorites/FavoritesScreen")).FavoritesScreen,
  }),
  defineScreen({
    layout: "lecture",
    scope: "learner",
    serving: "client",
    pattern: paths.lecture.pattern,
    valid: hasIdentifier,
    playsVideo: true,
    warm: (queries, args) => [
      ...warmLesson(queries, args),
      ...(hasIdentifier(args.params) ? [startStreamEarly(Number(args.params["id"]))] : []),
    ],
    component: async () => (await import("./lecture/LectureScreen")).LectureScreen,
    beside: async () => (await import("./lecture/LectureScreen")).LessonsBeside,
  }),
  defineScreen({
    ...besideLesson,
    pattern: paths.question.pattern,
    valid: hasQuestion,
    warm: (queries, { params: { questionId = "" } }) => [
      queries.prefetchQuery(questionQuery(questionId)),
    ],
    component: async () => (await import("./question/QuestionScreen")).QuestionScreen,
    beside: async () => (await import("./question/LessonBeside")).LessonBeside,
  }),
  defineScreen({
    ...besideLesson,
    pattern: paths.result.pattern,
    valid: hasResult,
    warm: (queries, { params: { resultId = "" } }) => [
      queries.prefetchQuery(resultQuery(resultId)),
    ],
    component: async () => (await import("./result/ResultScreen")).ResultScreen,
    beside: async () => (await import("./question/LessonBeside")).LessonBeside,
  }),
  defineScreen({
    ...learner,
    pattern: paths.examReviews.pattern,
    warm: (queries) => [queries.prefetchQuery(examReviewsQuery)],
    component: async () => (await import("./examReview/ExamReviewScreen")).ExamReviewScreen,
  }),
  defineScreen({
    ...learner,
    pattern: paths.studyPlan.pattern,
    component: async () => (await import("./plan/StudyPlanScreen")).StudyPlanScreen,
  }),
  defineScreen({
    ...learner,
    pattern: paths.results.pattern,
    warm: (queries, { search }) => [
      queries.prefetchQuery(growthQuery),
      queries.prefetchQuery(
        resultsQuery({ subject: search.get("subject") || undefined, page: pageIn(search) }),
      ),
    ],
    component: async () => (await import("./results/ResultsScreen")).ResultsScreen,
  }),
];
