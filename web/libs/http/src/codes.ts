import type { components } from "./schema";

/** Why a request failed, as the API's document lists it. A server that is newer than this site may send others. */
export type ServerCode = components["schemas"]["Problem"]["code"];

/** Why a field is refused, as the API's document lists it. */
export type FieldCode = components["schemas"]["ProblemField"]["code"];

/** Reasons that only the browser knows. */
export type ClientCode = "NETWORK" | "TIMEOUT" | "REPLACED" | "UNKNOWN";

export type ErrorCode = ServerCode | ClientCode;
