/** Types of exams, free checks and applications, from the API document. */
import type { Sheet } from "@konomana/exam-card";
import type { Answer, Body, Item } from "@konomana/http";

export type { ExamCard, ListedApplication, ListedCheck, Sheet, Stage } from "@konomana/exam-card";

/** A free check with its questions. */
export type Check = Answer<"GET", "/api/exam/check/{id}/">;
/** A question without its correct answer. */
export type Question = Check["questions"][number];
/** A scored free check. */
export type CheckResult = Answer<"POST", "/api/exam/check/{id}/result/">;
/** An answer as it is sent: the numbers of choices, a typed number, or a text. */
export type GivenAnswer = NonNullable<CheckResult["questions"][number]["answer"]>;

export type Exam = Sheet["exam"];
export type PaperState = Sheet["papers"][number];
export type BasicInfo = NonNullable<Sheet["basic_info"]>;
/** A desired school. Rank 1 is the most wanted one. */
export type DesiredSchool = Sheet["desired_schools"][number];
export type DesiredSchoolBody = Body<"PUT", "/api/exam/application/{id}/desired-school/{rank}/">;
export type School = Item<"/api/exam/school/">;
/** The results of a device check. */
export type DeviceCheckBody = Body<"PUT", "/api/exam/application/{id}/device-check/{device}/">;
