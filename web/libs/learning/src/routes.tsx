import { screens } from "@konomana/paths";
import { ensureUser } from "@konomana/session";
import type { ComponentType, ReactNode } from "react";
import type { MiddlewareFunction, RouteObject } from "react-router";

/** A screen whose code is fetched only when its guard lets the person in, which a function here would not do. */
const screen = (
  { pattern }: { pattern: string },
  load: () => Promise<{ Component: ComponentType }>,
): RouteObject => ({
  path: pattern,
  lazy: { Component: async () => (await load()).Component },
});

/** A screen that brings along what the layout puts beside it. */
const screenWithBeside = (
  { pattern }: { pattern: string },
  load: () => Promise<{ Component: ComponentType; handle: { beside: ReactNode } }>,
): RouteObject => ({
  path: pattern,
  lazy: {
    Component: async () => (await load()).Component,
    handle: async () => (await load()).handle,
  },
});

/** Waits until it is known who is here, and lets everybody in: who can't be known is a visitor. */
const knowWho: MiddlewareFunction = async () => {
  await ensureUser().catch(() => null);
};

export const routes: RouteObject[] = [
  screen(screens.mypage, () => import("./home/MypageScreen")),
  screen(screens.myCourses, () => import("./courses/OwnedCoursesScreen")),
  screen(screens.learning, () => import("./course/OwnedCourseScreen")),
  screen(screens.lesson, () => import("./lesson/LessonScreen")),
  { ...screen(screens.recent, () => import("./recent/RecentScreen")), middleware: [knowWho] },
  screen(screens.bookmarks, () => import("./bookmarks/BookmarksScreen")),
  screen(screens.child, () => import("./guardian/ChildScreen")),
  screen(screens.favorites, () => import("./favorites/FavoritesScreen")),
  screenWithBeside(screens.lecture, () => import("./lecture/LectureScreen")),
  screenWithBeside(screens.question, () => import("./question/QuestionScreen")),
  screenWithBeside(screens.result, () => import("./result/ResultScreen")),
  screen(screens.results, () => import("./results/ResultsScreen")),
];
