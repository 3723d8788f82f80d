import { data, type LoaderFunctionArgs } from "react-router";
import { catalogueSource } from "../data/catalogueSource";
import type { CourseList, TeacherList } from "../data/courseData";
import { readFilters, readPage } from "../data/courseFilters";

/** Throws a 404 for an invalid query. */
function known<Value>(value: Value | null, { request }: LoaderFunctionArgs): Value {
  const { pathname, search } = new URL(request.url);
  if (value === null) throw data(`Page Not Found: ${pathname}${search}`, { status: 404 });
  return value;
}

const queryOf = ({ request }: LoaderFunctionArgs) => new URL(request.url).searchParams;

/** Loads the courses for an address. */
export function loadCourses(args: LoaderFunctionArgs): Promise<CourseList> {
  const filters = known(readFilters(queryOf(args)), args);
  return args.context.get(catalogueSource).list(filters, args.request.signal);
}

/** Loads the page of teachers for an address. */
export function loadTeachers(args: LoaderFunctionArgs): Promise<TeacherList> {
  const page = known(readPage(queryOf(args)), args);
  return args.context.get(catalogueSource).teachers(page, args.request.signal);
}
