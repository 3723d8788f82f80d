import { type CourseFilters, paths } from "@konomana/paths";

/** Whether no filter is set: this list is prerendered at build. */
export function isWhole(filters: CourseFilters): boolean {
  return paths.courses(filters) === paths.courses();
}
