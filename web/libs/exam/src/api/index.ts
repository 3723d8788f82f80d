/** The calls and queries of free checks and of applications for exams. */
export { type ReceiptKey, receiptKeysQuery } from "./receiptKeys";
export { applications, findSheet, reorderDesiredSchools, sheetQuery } from "./applications";
export type * from "./examTypes";
export { freeCheckQuery, scoreCheck } from "./freeChecks";
export { receiptQuery, receipts, type SignedReceipt } from "./receipts";
export {
  answerPicture,
  childAnswerPicture,
  examResultPdf,
  childExamResultQuery,
  childPaperResultQuery,
  examResultQuery,
  type ExamResult,
  type FinalPaperResult,
  type Judgement,
  judgementQuery,
  type PaperResult,
  paperResultQuery,
  type QuestionResult,
  type ResultOwner,
  type SittingRecord,
  type Standing,
} from "./results";
export { type SchoolFilters, schoolsQuery } from "./schools";
