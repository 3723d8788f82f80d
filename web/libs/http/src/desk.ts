import { sendPublic } from "./transport/send";
import type {
  ContactMessage,
  ContactTaken,
  EntryExams,
  Faq,
  FaqPage,
  Notice,
  NoticePage,
  PictureTaken,
  SuccessYear,
} from "./desk-types";
import { toQuery } from "./toQuery";

const get = <Answer>(path: string, signal: AbortSignal | undefined) =>
  sendPublic<Answer>({ method: "GET", url: `/api/desk/${path}`, signal });

const post = <Answer>(path: string, body: object, idempotencyKey?: string) =>
  sendPublic<Answer>({ method: "POST", url: `/api/desk/${path}`, body, idempotencyKey });

export interface NoticeQuery {
  category?: string | undefined;
  page?: number | undefined;
}

export interface FaqQuery {
  category?: string | undefined;
  q?: string | undefined;
  page?: number | undefined;
}

/** What the school tells everybody, and how to write to it. A failure is an `ApiError`. */
export const desk = {
  notices: (query: NoticeQuery, signal?: AbortSignal) =>
    get<NoticePage>(`notice/${toQuery({ ...query })}`, signal),

  notice: (id: number, signal?: AbortSignal) => get<Notice>(`notice/${id}/`, signal),

  faqs: (query: FaqQuery, signal?: AbortSignal) =>
    get<FaqPage>(`faq/${toQuery({ ...query })}`, signal),

  faq: (id: number, signal?: AbortSignal) => get<Faq>(`faq/${id}/`, signal),

  /** Counts once a day and visitor; to say it again does no harm. */
  vote: (id: number, helpful: boolean) => post<void>(`faq/${id}/vote/`, { helpful }),

  /** A year of which nothing is told is a 404. */
  success: (year: number, signal?: AbortSignal) => get<SuccessYear>(`success/${year}/`, signal),

  entryExams: (signal?: AbortSignal) => get<EntryExams>("entry-exam/", signal),

  /** Takes a picture to send along; the answer names it. */
  putPicture: (picture: Blob) => post<PictureTaken>("contact/picture/", picture),

  /** The same key again gives the same number, and no second mail. */
  contact: (message: ContactMessage, idempotencyKey: string) =>
    post<ContactTaken>("contact/", message, idempotencyKey),
};

/** Where programs read what is new among the notices (Atom). */
export const NOTICE_FEED = "/api/desk/notice/feed/";
