import { screens } from "@konomana/paths";
import type { RouteObject } from "react-router";

export const routes: RouteObject[] = [
  { path: screens.mypage.pattern, lazy: () => import("./home/HomeScreen") },
  { path: screens.myCourses.pattern, lazy: () => import("./courses/CoursesScreen") },
  { path: screens.learning.pattern, lazy: () => import("./course/CourseScreen") },
  { path: screens.bookmarks.pattern, lazy: () => import("./bookmarks/BookmarksScreen") },
  { path: screens.favorites.pattern, lazy: () => import("./favorites/FavoritesScreen") },
];
