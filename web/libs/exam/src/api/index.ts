/** The calls and queries of free checks and of applications for exams. */
export { applications, reorderDesiredSchools, sheetQuery } from "./applications";
export type * from "./examTypes";
export { addressQuery } from "./profile";
export { freeCheckQuery, scoreCheck } from "./freeChecks";
export { type SchoolFilters, schoolsQuery } from "./schools";
