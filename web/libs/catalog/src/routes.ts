import type { Course } from "@konomana/api";
import { paths, type ScreenHandle, screens } from "@konomana/paths";
import type { LoaderFunctionArgs, RouteObject } from "react-router";
import { data } from "react-router";
import { readFilters } from "./data/catalogue";
import { catalogueSource } from "./data/source";

const courses = { label: "講座をさがす", to: paths.courses() };

/**
 * The catalogue's screens. `handle.module` names the file that a screen is loaded from, so that the
 * prerender can announce it to the browser early.
 */
export const routes: RouteObject[] = [
  {
    path: screens.home.pattern,
    loader: ({ context, request }) => context.get(catalogueSource).home(request.signal),
    lazy: { Component: async () => (await import("./home/HomeScreen")).Component },
    handle: { module: "libs/catalog/src/home/HomeScreen.tsx" },
  },
  {
    path: screens.courses.pattern,
    loader: loadList,
    lazy: { Component: async () => (await import("./list/CourseListScreen")).Component },
    handle: {
      module: "libs/catalog/src/list/CourseListScreen.tsx",
      readsQuery: true,
      crumbs: () => [courses],
    } satisfies ScreenHandle,
  },
  {
    path: screens.course.pattern,
    loader: ({ context, request, params }) =>
      context.get(catalogueSource).course(Number(params["id"]), request.signal),
    lazy: { Component: async () => (await import("./course/CourseScreen")).Component },
    handle: {
      module: "libs/catalog/src/course/CourseScreen.tsx",
      modified: ({ modified }) => modified,
      crumbs: ({ id, name }) => [courses, { label: name, to: paths.course(id) }],
    } satisfies ScreenHandle<Course>,
  },
];

function loadList({ context, request }: LoaderFunctionArgs) {
  const url = new URL(request.url);
  const filters = readFilters(url.searchParams);
  if (filters === null) throw data(`Page Not Found: ${url.pathname}${url.search}`, { status: 404 });
  return context.get(catalogueSource).list(filters, request.signal);
}
