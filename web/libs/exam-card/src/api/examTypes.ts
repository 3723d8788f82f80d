/** Exams as they are offered, and applications for them, as the API's document describes them. */
import type { Answer, Item } from "@konomana/http";

export type ExamCard = Item<"/api/exam/exam/">;
export type ListedApplication = Item<"/api/exam/application/">;
/** The first step of an application that is not done. */
export type Stage = ListedApplication["stage"];
export type ListedCheck = Item<"/api/exam/check/">;
/** All there is to know of an application. */
export type Sheet = Answer<"GET", "/api/exam/application/{id}/">;
