/** What anybody may look at and look for, as the API's document describes it. */
import type { Ok } from "./of-schema";
import type { paths } from "./schema";
import type { CoursePage } from "./types";

/** How many courses there would be with each choice, under all other filters. */
export type CourseFacets = CoursePage["facets"];

export type TeacherPage = Ok<paths["/api/lms/teacher/"]["get"]>;
export type TeacherSummary = TeacherPage["results"][number];
export type Teacher = Ok<paths["/api/lms/teacher/{id}/"]["get"]>;

export type HitPage = Ok<paths["/api/search/"]["get"]>;
/** One thing that was found; a lesson names its course. */
export type Hit = HitPage["results"][number];
export type HitKind = Hit["kind"];

export type Suggestions = Ok<paths["/api/search/suggest/"]["get"]>;
export type Suggestion = Suggestions["results"][number];

/** What those tell who learned with a course; shown while they agree to it. */
export type Voices = Ok<paths["/api/desk/success/voice/"]["get"]>;
