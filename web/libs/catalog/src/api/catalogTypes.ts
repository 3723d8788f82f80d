/** Types of the public catalogue and search, from the API document. */
import type { Answer, Item, Query } from "@konomana/http";

export type CoursePage = Answer<"GET", "/api/lms/course/">;
/** The catalogue's filters: any of the school years, subjects and levels, and all words of `q`. */
export type CourseQuery = Query<"GET", "/api/lms/course/">;
/** A course of the catalogue with its current price; `product` is null if it is not on sale. */
export type CourseSummary = Item<"/api/lms/course/">;
export type Course = Answer<"GET", "/api/lms/course/{id}/">;
export type Chapter = Course["course_chapter"][number];
export type Unit = Chapter["units"][number];
/**
 * The current price of a course in whole yen, tax included, and its period in days (null:
 * unlimited).
 */
export type CourseOffer = NonNullable<Course["product"]>;
/** How many courses each choice would have under all other filters. */
export type CourseFacets = CoursePage["facets"];

/** A summary of the catalogue: counts, and some courses and teachers. */
export type Home = Answer<"GET", "/api/lms/home/">;

export type TeacherSummary = Item<"/api/lms/teacher/">;
export type Teacher = Answer<"GET", "/api/lms/teacher/{id}/">;

export type HitPage = Answer<"GET", "/api/search/">;
/** One search result; a lesson names its course. */
export type Hit = HitPage["results"][number];
export type HitKind = Hit["kind"];

export type Suggestion = Answer<"GET", "/api/search/suggest/">["results"][number];

export type NoticeSummary = Item<"/api/desk/notice/">;
export type SuccessYear = Answer<"GET", "/api/desk/success/{year}/">;
export type EntryExam = Answer<"GET", "/api/desk/entry-exam/">["results"][number];
