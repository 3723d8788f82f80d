import { callPublic, everyPage } from "@konomana/http";
import type { ContactMessage } from "./supportTypes";

interface NoticeFilters {
  category?: string | undefined;
  page?: number | undefined;
}

interface FaqFilters extends NoticeFilters {
  q?: string | undefined;
}

/** What the school tells everybody, and how to write to it. A failure is an `ApiError`. */
export const supportCalls = {
  notices: (query: NoticeFilters, signal?: AbortSignal) =>
    callPublic("GET", "/api/desk/notice/", { query, signal }),

  notice: (id: number, signal?: AbortSignal) =>
    callPublic("GET", "/api/desk/notice/{id}/", { params: { id }, signal }),

  faqs: (query: FaqFilters, signal?: AbortSignal) =>
    callPublic("GET", "/api/desk/faq/", { query, signal }),

  faq: (id: number, signal?: AbortSignal) =>
    callPublic("GET", "/api/desk/faq/{id}/", { params: { id }, signal }),

  /** Counts once a day and visitor; to say it again does no harm. */
  vote: (id: number, helpful: boolean) =>
    callPublic("POST", "/api/desk/faq/{id}/vote/", { params: { id }, body: { helpful } }),

  /** A year of which nothing is told is a 404. */
  success: (year: number, signal?: AbortSignal) =>
    callPublic("GET", "/api/desk/success/{year}/", { params: { year }, signal }),

  entryExams: (signal?: AbortSignal) => callPublic("GET", "/api/desk/entry-exam/", { signal }),

  /** Every course of the catalogue: a voice tells it by its number alone. */
  courses: (signal?: AbortSignal) =>
    everyPage((link) => callPublic("GET", "/api/lms/course/", { link, signal })),

  /** Takes a picture to send along; the answer names it. */
  putPicture: (picture: Blob) =>
    callPublic("POST", "/api/desk/contact/picture/", { body: picture }),

  /** The same key again gives the same number, and no second mail. */
  contact: (message: ContactMessage, idempotencyKey: string) =>
    callPublic("POST", "/api/desk/contact/", { body: message, idempotencyKey }),
};

/** Where programs read what is new among the notices (Atom). */
export const NOTICE_FEED = "/api/desk/notice/feed/";
