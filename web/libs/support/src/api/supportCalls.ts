import { callPublic, everyPage } from "@konomana/http";
import type { ContactMessage } from "./supportTypes";

interface NoticeFilters {
  category?: string | undefined;
  page?: number | undefined;
}

interface FaqFilters extends NoticeFilters {
  q?: string | undefined;
}

/**
 * The API calls for the school's public information and for the contact form. Failures are
 * `ApiError`s.
 */
export const supportCalls = {
  notices: (query: NoticeFilters, signal?: AbortSignal) =>
    callPublic("GET", "/api/desk/notice/", { query, signal }),

  notice: (id: number, signal?: AbortSignal) =>
    callPublic("GET", "/api/desk/notice/{id}/", { params: { id }, signal }),

  faqs: (query: FaqFilters, signal?: AbortSignal) =>
    callPublic("GET", "/api/desk/faq/", { query, signal }),

  faq: (id: number, signal?: AbortSignal) =>
    callPublic("GET", "/api/desk/faq/{id}/", { params: { id }, signal }),

  /** Votes on an answer. It counts once per day and visitor, and repeating it is harmless. */
  vote: (id: number, helpful: boolean) =>
    callPublic("POST", "/api/desk/faq/{id}/vote/", { params: { id }, body: { helpful } }),

  /** The success stories of a year. A year without any is a 404. */
  success: (year: number, signal?: AbortSignal) =>
    callPublic("GET", "/api/desk/success/{year}/", { params: { year }, signal }),

  entryExams: (signal?: AbortSignal) => callPublic("GET", "/api/desk/entry-exam/", { signal }),

  /** Every course of the catalogue, for the names of courses that a voice references by id. */
  courses: (signal?: AbortSignal) =>
    everyPage((link) => callPublic("GET", "/api/lms/course/", { link, signal })),

  /** Uploads a picture for a message. The response contains its name. */
  putPicture: (picture: Blob) =>
    callPublic("POST", "/api/desk/contact/picture/", { body: picture }),

  /** Sends a message. The same idempotency key returns the same number and sends no second mail. */
  contact: (message: ContactMessage, idempotencyKey: string) =>
    callPublic("POST", "/api/desk/contact/", { body: message, idempotencyKey }),
};

/** The Atom feed of the notices. */
export const NOTICE_FEED = "/api/desk/notice/feed/";
