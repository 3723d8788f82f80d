import { screens } from "@konomana/paths";
import { ensureUser } from "@konomana/session";
import { type ComponentType, lazy, Suspense } from "react";
import type { MiddlewareFunction, RouteObject } from "react-router";

/** A screen whose code is fetched only when its guard lets the person in, which a function here would not do. */
const screen = (
  { pattern }: { pattern: string },
  load: () => Promise<{ Component: ComponentType }>,
): RouteObject => ({
  path: pattern,
  lazy: { Component: async () => (await load()).Component },
});

/** Waits until it is known who is here, and lets everybody in: who can't be known is a visitor. */
const knowWho: MiddlewareFunction = async () => {
  await ensureUser().catch(() => null);
};

const LessonBeside = lazy(async () => ({
  default: (await import("./question/LessonBeside")).LessonBeside,
}));

/** What stands beside a question and a result: their lesson. */
const besideLesson = {
  beside: (
    <Suspense>
      <LessonBeside />
    </Suspense>
  ),
};

export const routes: RouteObject[] = [
  screen(screens.mypage, () => import("./home/HomeScreen")),
  screen(screens.myCourses, () => import("./courses/CoursesScreen")),
  screen(screens.learning, () => import("./course/CourseScreen")),
  screen(screens.lesson, () => import("./lesson/LessonScreen")),
  { ...screen(screens.recent, () => import("./recent/RecentScreen")), middleware: [knowWho] },
  screen(screens.bookmarks, () => import("./bookmarks/BookmarksScreen")),
  screen(screens.child, () => import("./guardian/ChildScreen")),
  screen(screens.favorites, () => import("./favorites/FavoritesScreen")),
  {
    path: screens.lecture.pattern,
    lazy: {
      Component: async () => (await import("./lecture/LectureScreen")).Component,
      // What stands beside the video comes with it.
      handle: async () => (await import("./lecture/LectureScreen")).handle,
    },
  },
  {
    ...screen(screens.question, () => import("./question/QuestionScreen")),
    handle: besideLesson,
  },
  {
    ...screen(screens.result, () => import("./result/ResultScreen")),
    handle: besideLesson,
  },
  screen(screens.results, () => import("./results/ResultsScreen")),
];
