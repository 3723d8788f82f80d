/** Types of sittings, from the API document. Times are RFC 3339. */
import type { Answer, Body } from "@konomana/http";

export type Sitting = Answer<"GET", "/api/exam/sitting/{id}/">;
export type ExamQuestion = Sitting["paper"]["questions"][number];
/** An answer saved on the server. */
export type SavedAnswer = Sitting["answers"][number];
/** An answer of a question. It may be a picture. */
export type ExamAnswer = NonNullable<SavedAnswer["answer"]>;
/** The handed-in answers. */
export type Transcript = Answer<"POST", "/api/exam/sitting/{id}/hand-in/">;

export type SaveRequest = Body<"PUT", "/api/exam/sitting/{id}/answers/">;
/** An answer to save. `answered_at` is by the device's clock. */
export type SentAnswer = SaveRequest["answers"][number];
export type SaveReply = Answer<"PUT", "/api/exam/sitting/{id}/answers/">;
