/** Client of the edge's REST API: typed calls and error messages. */
export type { ErrorCode, FieldCode } from "./codes";
export { call, type CallOptions, callPublic } from "./call";
export { ApiError, type FieldError } from "./errors";
export type { Answer, Body, Item, Method, PathOf, PathParameters, Query } from "./operation";
export { pageSentences } from "./pageSentences";
export { idempotencyKey, type StoredKey } from "./idempotencyKey";
export { everyPage, pageKey } from "./pages";
export { readPayload } from "./payload";
export { PERSONAL } from "./personal";
export { errorSentence, sentenceOf, waitInWords } from "./errorSentences";
export { toQuery } from "./toQuery";
export { connectApi, type Connection, type SessionPort } from "./transport/connection";
export { forgetServerTime, onServerTime, serverTime } from "./transport/serverTime";
export type * from "./types";
