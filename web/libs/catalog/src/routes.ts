import type { Teacher } from "./api";
import { paths, type ScreenHandle, screens } from "@konomana/paths";
import type { LoaderFunctionArgs, RouteObject } from "react-router";
import { data } from "react-router";
import type { CourseData } from "./data/courseData";
import { readFilters, readPage } from "./data/courseFilters";
import { catalogueSource } from "./data/catalogueSource";
import * as structured from "./catalogueStructured";

const courses = { label: "講座をさがす", to: paths.courses() };
const teachers = { label: "先生の紹介", to: paths.teachers() };

/** What only the prerender asks for has no place in what a browser loads. */
function atBuild<Value>(value: Value): Value | undefined {
  return import.meta.env.SSR ? value : undefined;
}

/**
 * The catalogue's screens. `handle.module` names the file that a screen is loaded from, so that the
 * prerender can announce it to the browser early.
 */
export const routes: RouteObject[] = [
  {
    path: screens.home.pattern,
    loader: ({ context, request }) => context.get(catalogueSource).home(request.signal),
    lazy: { Component: async () => (await import("./home/HomeScreen")).Component },
    handle: {
      module: "libs/catalog/src/home/HomeScreen.tsx",
      structured: atBuild(structured.home),
    } satisfies ScreenHandle,
  },
  {
    path: screens.courses.pattern,
    loader: loadList,
    lazy: { Component: async () => (await import("./list/CourseListScreen")).Component },
    handle: {
      module: "libs/catalog/src/list/CourseListScreen.tsx",
      readsQuery: true,
      crumbs: () => [courses],
      structured: atBuild(structured.list),
    },
  },
  {
    path: screens.course.pattern,
    loader: ({ context, request, params }) =>
      context.get(catalogueSource).course(Number(params["id"]), request.signal),
    lazy: { Component: async () => (await import("./course/CourseScreen")).Component },
    handle: {
      module: "libs/catalog/src/course/CourseScreen.tsx",
      modified: ({ course: { modified } }) => modified,
      crumbs: ({ course: { id, name } }) => [courses, { label: name, to: paths.course(id) }],
      structured: atBuild(structured.course),
    } satisfies ScreenHandle<CourseData>,
  },
  {
    path: screens.teachers.pattern,
    loader: loadTeachers,
    lazy: { Component: async () => (await import("./teacher/TeacherListScreen")).Component },
    handle: {
      module: "libs/catalog/src/teacher/TeacherListScreen.tsx",
      readsQuery: true,
      crumbs: () => [teachers],
    } satisfies ScreenHandle,
  },
  {
    path: screens.teacher.pattern,
    loader: ({ context, request, params }) =>
      context.get(catalogueSource).teacher(Number(params["id"]), request.signal),
    lazy: { Component: async () => (await import("./teacher/TeacherScreen")).Component },
    handle: {
      module: "libs/catalog/src/teacher/TeacherScreen.tsx",
      crumbs: ({ id, name }) => [teachers, { label: `${name} 先生`, to: paths.teacher(id) }],
      structured: atBuild(structured.teacher),
    } satisfies ScreenHandle<Teacher>,
  },
  {
    path: screens.search.pattern,
    lazy: {
      loader: async () => (await import("./search/SearchScreen")).loader,
      Component: async () => (await import("./search/SearchScreen")).Component,
    },
    handle: { crumbs: () => [{ label: "検索", to: paths.search() }] },
  },
];

/** What a query can't mean has no page. */
function known<Value>(value: Value | null, { request }: LoaderFunctionArgs): Value {
  const { pathname, search } = new URL(request.url);
  if (value === null) throw data(`Page Not Found: ${pathname}${search}`, { status: 404 });
  return value;
}

const queryOf = ({ request }: LoaderFunctionArgs) => new URL(request.url).searchParams;

function loadList(args: LoaderFunctionArgs) {
  const filters = known(readFilters(queryOf(args)), args);
  return args.context.get(catalogueSource).list(filters, args.request.signal);
}

function loadTeachers(args: LoaderFunctionArgs) {
  const page = known(readPage(queryOf(args)), args);
  return args.context.get(catalogueSource).teachers(page, args.request.signal);
}
