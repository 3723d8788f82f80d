/** Types of exams and applications, from the API document. */
import type { Answer, Item } from "@konomana/http";

export type ExamCard = Item<"/api/exam/exam/">;
export type ListedApplication = Item<"/api/exam/application/">;
/** The first step of an application that is not done. */
export type Stage = ListedApplication["stage"];
export type ListedCheck = Item<"/api/exam/check/">;
/** The full details of an application. */
export type Sheet = Answer<"GET", "/api/exam/application/{id}/">;
