import type { Teacher } from "./api";
import { paths } from "@konomana/paths";
import { defineScreen, hasIdentifier } from "@konomana/screens";
import type { LoaderFunctionArgs } from "react-router";
import { data } from "react-router";
import * as structured from "./catalogueStructured";
import { catalogueSource } from "./data/catalogueSource";
import type { CourseData } from "./data/courseData";
import { readFilters, readPage } from "./data/courseFilters";
import { loadSearch } from "./search/find";

const courses = { label: "講座をさがす", to: paths.courses() };
const teachers = { label: "先生の紹介", to: paths.teachers() };

/** Leaves out of a browser's code what the prerender alone asks for. */
function atBuild<Value>(value: Value): { structured?: Value } {
  return import.meta.env.SSR ? { structured: value } : {};
}

export const screens = [
  defineScreen({
    pattern: paths.home.pattern,
    layout: "default",
    serving: "prerendered",
    load: ({ context, request }) => context.get(catalogueSource).home(request.signal),
    component: async () => (await import("./home/HomeScreen")).HomeScreen,
    ...atBuild(structured.home),
  }),
  defineScreen({
    pattern: paths.courses.pattern,
    layout: "default",
    serving: "prerendered",
    readsQuery: true,
    load: loadList,
    component: async () => (await import("./list/CourseListScreen")).CourseListScreen,
    crumbs: () => [courses],
    ...atBuild(structured.list),
  }),
  defineScreen<CourseData>({
    pattern: paths.course.pattern,
    layout: "default",
    serving: "per-course",
    valid: hasIdentifier,
    load: ({ context, request, params }) =>
      context.get(catalogueSource).course(Number(params["id"]), request.signal),
    component: async () => (await import("./course/CourseScreen")).CourseScreen,
    modified: ({ course: { modified } }) => modified,
    crumbs: ({ course: { id, name } }) => [courses, { label: name, to: paths.course(id) }],
    ...atBuild(structured.course),
  }),
  defineScreen({
    pattern: paths.teachers.pattern,
    layout: "default",
    serving: "prerendered",
    readsQuery: true,
    load: loadTeachers,
    component: async () => (await import("./teacher/TeacherListScreen")).TeacherListScreen,
    crumbs: () => [teachers],
  }),
  defineScreen<Teacher>({
    pattern: paths.teacher.pattern,
    layout: "default",
    serving: "per-teacher",
    valid: hasIdentifier,
    load: ({ context, request, params }) =>
      context.get(catalogueSource).teacher(Number(params["id"]), request.signal),
    component: async () => (await import("./teacher/TeacherScreen")).TeacherScreen,
    crumbs: ({ id, name }) => [teachers, { label: `${name} 先生`, to: paths.teacher(id) }],
    ...atBuild(structured.teacher),
  }),
  defineScreen({
    pattern: paths.search.pattern,
    layout: "default",
    serving: "client",
    load: loadSearch,
    component: async () => (await import("./search/SearchScreen")).SearchScreen,
    crumbs: () => [{ label: "検索", to: paths.search() }],
  }),
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
