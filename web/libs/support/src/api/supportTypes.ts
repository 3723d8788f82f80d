/** Types of the school's public information and of the contact form, from the API document. */
import type { Answer, Body, Item } from "@konomana/http";

export type NoticeSummary = Item<"/api/desk/notice/">;
export type Notice = Answer<"GET", "/api/desk/notice/{id}/">;

export type FaqSummary = Item<"/api/desk/faq/">;
export type Faq = Answer<"GET", "/api/desk/faq/{id}/">;

export type SuccessYear = Answer<"GET", "/api/desk/success/{year}/">;
export type Voice = SuccessYear["voices"][number];

/** An entrance exam. Days are formatted like `2027-02-21`. */
export type EntryExam = Answer<"GET", "/api/desk/entry-exam/">["results"][number];

export type ContactMessage = Body<"POST", "/api/desk/contact/">;
