/** The calls and queries of free checks and of applications for exams. */
export { applications, reorderDesiredSchools, sheetQuery } from "./applications";
export type * from "./examTypes";
export { addressQuery } from "./profile";
export { freeCheckQuery, scoreCheck } from "./freeChecks";
export {
  examResultQuery,
  type ExamResult,
  type FinalPaperResult,
  type Judgement,
  judgementQuery,
  type PaperResult,
  paperResultQuery,
  type QuestionResult,
  type Standing,
} from "./results";
export { type SchoolFilters, schoolsQuery } from "./schools";
