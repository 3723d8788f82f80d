/** Sittings, as the API's document describes them. Times are RFC 3339. */
import type { Answer, Body } from "@konomana/http";

export type Sitting = Answer<"GET", "/api/exam/sitting/{id}/">;
export type ExamQuestion = Sitting["paper"]["questions"][number];
/** An answer that the server has. */
export type SavedAnswer = Sitting["answers"][number];
/** What was handed in. */
export type Transcript = Answer<"POST", "/api/exam/sitting/{id}/hand-in/">;

export type SaveRequest = Body<"PUT", "/api/exam/sitting/{id}/answers/">;
/** An answer on its way; `answered_at` is by the device's clock. */
export type SentAnswer = SaveRequest["answers"][number];
export type SaveReply = Answer<"PUT", "/api/exam/sitting/{id}/answers/">;
