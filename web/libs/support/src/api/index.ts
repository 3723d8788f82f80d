/** The calls of notices, answers, the contact form, exams and results. */
export { desk, NOTICE_FEED } from "./desk";
export { supportKeys } from "./keys";
export type * from "./supportTypes";
