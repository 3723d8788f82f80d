/** The API calls of notices, answers, the contact form, exams and results. */
export { supportCalls, NOTICE_FEED } from "./supportCalls";
export { supportKeys } from "./supportKeys";
export type * from "./supportTypes";
