import { type CourseFilters, paths } from "@konomana/paths";

/** Whether the filters are those of the address without any: the page that is made at build. */
export function isWhole(filters: CourseFilters): boolean {
  return paths.courses(filters) === paths.courses();
}
