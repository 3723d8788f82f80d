/** What anybody may look at and look for, as the API's document describes it. */
import type { Answer, Item, Query } from "@konomana/http";

export type CoursePage = Answer<"GET", "/api/lms/course/">;
/** What the catalogue can be asked for: any of the school years, subjects and levels, and every word. */
export type CourseQuery = Query<"GET", "/api/lms/course/">;
/** A course of the catalogue, and what it costs now: `product` is null where nobody can buy it. */
export type CourseSummary = Item<"/api/lms/course/">;
export type Course = Answer<"GET", "/api/lms/course/{id}/">;
export type Chapter = Course["course_chapter"][number];
export type Unit = Chapter["units"][number];
/** What a course costs now: whole yen, tax included, for so many days (null: without end). */
export type CourseOffer = NonNullable<Course["product"]>;
/** How many courses there would be with each choice, under all other filters. */
export type CourseFacets = CoursePage["facets"];

/** The catalogue in short: counts, and some courses and teachers. */
export type Home = Answer<"GET", "/api/lms/home/">;

export type TeacherSummary = Item<"/api/lms/teacher/">;
export type Teacher = Answer<"GET", "/api/lms/teacher/{id}/">;

export type HitPage = Answer<"GET", "/api/search/">;
/** One thing that was found; a lesson names its course. */
export type Hit = HitPage["results"][number];
export type HitKind = Hit["kind"];

export type Suggestion = Answer<"GET", "/api/search/suggest/">["results"][number];

export type NoticeSummary = Item<"/api/desk/notice/">;
export type SuccessYear = Answer<"GET", "/api/desk/success/{year}/">;
export type EntryExam = Answer<"GET", "/api/desk/entry-exam/">["results"][number];
