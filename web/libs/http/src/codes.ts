import type { components } from "./schema";

/** Error codes of the API document. A server newer than this site may send others. */
export type ServerCode = components["schemas"]["Problem"]["code"];

/** Error codes of a field, from the API document. */
export type FieldCode = components["schemas"]["ProblemField"]["code"];

/** Error codes that only the browser reports. */
export type ClientCode = "NETWORK" | "TIMEOUT" | "REPLACED" | "UNKNOWN";

export type ErrorCode = ServerCode | ClientCode;
