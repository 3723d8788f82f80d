/** Exams, free checks and applications, as the API's document describes them. */
import type { Sheet } from "@konomana/exam-card";
import type { Answer, Body, Item } from "@konomana/http";

export type { ExamCard, ListedApplication, ListedCheck, Sheet, Stage } from "@konomana/exam-card";

/** A free check with its questions. */
export type Check = Answer<"GET", "/api/exam/check/{id}/">;
/** A question without its key. */
export type Question = Check["questions"][number];
/** A free check, scored. */
export type CheckResult = Answer<"POST", "/api/exam/check/{id}/result/">;
/** An answer as it is sent: the numbers of choices, a number as it was typed, or words. */
export type GivenAnswer = NonNullable<CheckResult["questions"][number]["answer"]>;

export type Exam = Sheet["exam"];
export type PaperState = Sheet["papers"][number];
export type BasicInfo = NonNullable<Sheet["basic_info"]>;
/** A school that the learner wants to enter. Ranks go from 1, the most wanted one. */
export type DesiredSchool = Sheet["desired_schools"][number];
export type DesiredSchoolBody = Body<"PUT", "/api/exam/application/{id}/desired-school/{rank}/">;
export type School = Item<"/api/exam/school/">;
/** What was found out about a device. */
export type DeviceCheckBody = Body<"PUT", "/api/exam/application/{id}/device-check/{device}/">;
