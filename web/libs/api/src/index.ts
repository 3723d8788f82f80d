/** The edge's REST API as the browser uses it: one typed wrapper, its queries, its errors in words. */
export { api, type MarkKind } from "./api";
export { catalogue, type CourseQuery } from "./catalogue";
export type * from "./catalogue-types";
export { connectApi, type Connection, type SessionPort } from "./client/connection";
export { desk, type FaqQuery, NOTICE_FEED, type NoticeQuery } from "./desk";
export type * from "./desk-types";
export { entry } from "./entry";
export type * from "./entry-types";
export { ApiError, type FieldError } from "./errors";
export { errorSentence, sentenceOf, waitInWords } from "./sentences";
export { toQuery } from "./toQuery";
export { canHavePasskeys } from "./passkeys";
export { readPayload } from "./payload";
export * from "./queries";
export { settings } from "./settings";
export * from "./settings-queries";
export type * from "./settings-types";
export type * from "./types";
