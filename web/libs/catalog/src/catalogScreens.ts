import type { Teacher } from "./api";
import { paths } from "@konomana/paths";
import { defineScreen, hasIdentifier } from "@konomana/screens";
import * as structured from "./catalogueStructured";
import { catalogueSource } from "./data/catalogueSource";
import type { CourseData } from "./data/courseData";

const courses = { label: "講座をさがす", to: paths.courses() };
const teachers = { label: "先生の紹介", to: paths.teachers() };

/**
 * The screens of the catalogue. `structured` is left out of the browser bundle: only the prerender
 * uses it.
 */
export const screens = [
  defineScreen({
    pattern: paths.home.pattern,
    layout: "default",
    serving: "prerendered",
    load: ({ context, request }) => context.get(catalogueSource).home(request.signal),
    component: async () => (await import("./home/HomeScreen")).HomeScreen,
    queries: false,
    ...(import.meta.env.SSR && { structured: structured.home }),
  }),
  defineScreen({
    pattern: paths.courses.pattern,
    layout: "default",
    serving: "prerendered",
    readsQuery: true,
    component: async () => (await import("./list/CourseListScreen")).CourseListScreen,
    load: async (args) => (await import("./list/loadLists")).loadCourses(args),
    crumbs: () => [courses],
    ...(import.meta.env.SSR && { structured: structured.list }),
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
    ...(import.meta.env.SSR && { structured: structured.course }),
  }),
  defineScreen({
    pattern: paths.teachers.pattern,
    layout: "default",
    serving: "prerendered",
    readsQuery: true,
    component: async () => (await import("./teacher/TeacherListScreen")).TeacherListScreen,
    load: async (args) => (await import("./list/loadLists")).loadTeachers(args),
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
    ...(import.meta.env.SSR && { structured: structured.teacher }),
  }),
  defineScreen({
    pattern: paths.search.pattern,
    layout: "default",
    serving: "client",
    component: async () => (await import("./search/SearchScreen")).SearchScreen,
    load: async (args) => (await import("./search/find")).loadSearch(args),
    crumbs: () => [{ label: "検索", to: paths.search() }],
  }),
];
