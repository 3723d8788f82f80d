/** What the school tells, and what people write to it, as the API's document describes it. */
import type { Answer, Body, Item } from "@konomana/http";

export type NoticeSummary = Item<"/api/desk/notice/">;
export type Notice = Answer<"GET", "/api/desk/notice/{id}/">;

export type FaqSummary = Item<"/api/desk/faq/">;
export type Faq = Answer<"GET", "/api/desk/faq/{id}/">;

export type SuccessYear = Answer<"GET", "/api/desk/success/{year}/">;
export type Voice = SuccessYear["voices"][number];

/** Its days are like `2027-02-21`. */
export type EntryExam = Answer<"GET", "/api/desk/entry-exam/">["results"][number];

export type ContactMessage = Body<"POST", "/api/desk/contact/">;
