/** What the school tells, and what people write to it, as the API's document describes it. */
import type { Body, Made, Ok } from "./of-schema";
import type { paths } from "./schema";

export type NoticePage = Ok<paths["/api/desk/notice/"]["get"]>;
export type NoticeSummary = NoticePage["results"][number];
export type Notice = Ok<paths["/api/desk/notice/{id}/"]["get"]>;

export type FaqPage = Ok<paths["/api/desk/faq/"]["get"]>;
export type FaqSummary = FaqPage["results"][number];
export type Faq = Ok<paths["/api/desk/faq/{id}/"]["get"]>;

export type SuccessYear = Ok<paths["/api/desk/success/{year}/"]["get"]>;
export type Voice = SuccessYear["voices"][number];

export type EntryExams = Ok<paths["/api/desk/entry-exam/"]["get"]>;
/** Its days are like `2027-02-21`. */
export type EntryExam = EntryExams["results"][number];

export type ContactMessage = Body<paths["/api/desk/contact/"]["post"]>;
export type ContactTaken = Made<paths["/api/desk/contact/"]["post"]>;
export type PictureTaken = Made<paths["/api/desk/contact/picture/"]["post"]>;
