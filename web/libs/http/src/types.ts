/**
 * The entities of the specification, §3, as the edge's API document describes them. They are read off
 * the paths, so that a rename inside the document changes nothing here.
 */
import type { Body, Ok } from "./of-schema";
import type { paths } from "./schema";

export type Credentials = Body<paths["/api/accounts/login/"]["post"]>;
export type Tokens = Ok<paths["/api/accounts/login/"]["post"]>;
export type User = Ok<paths["/api/accounts/user/"]["get"]>;

export type InventoryList = Ok<paths["/api/lms/inventory/"]["get"]>;
/** 所有講座: one course that one person may use until `expire_at` (RFC 3339, UTC; null is unlimited). */
export type InventoryItem = InventoryList["results"][number];
/** A course with its tree, wherever its price is nobody's business. */
export type CourseTree = InventoryItem["course"];

export type BookmarkPage = Ok<paths["/api/lms/bookmark/"]["get"]>;
/** あとで見る: a course put aside; `is_check` is true when every lesson of it is checked. */
export type Bookmark = BookmarkPage["results"][number];

/** Favorites and checks have one shape: a lesson, and when it was marked. */
export type MarkPage = Ok<paths["/api/lms/favorite/"]["get"]>;
export type Mark = MarkPage["results"][number];
export type LessonRef = Mark["lesson"];

export type CoursePage = Ok<paths["/api/lms/course/"]["get"]>;
/** A course of the catalogue, and what it costs now: `product` is null where nobody can buy it. */
export type CourseSummary = CoursePage["results"][number];
export type Course = Ok<paths["/api/lms/course/{id}/"]["get"]>;
/** What a course costs now: whole yen, tax included, for so many days (null: without end). */
export type CourseOffer = NonNullable<Course["product"]>;

export type ProductPage = Ok<paths["/api/commerce/product/"]["get"]>;
/** 商品: what has a price, in whole yen, tax included. */
export type Product = Ok<paths["/api/commerce/product/{id}/"]["get"]>;

export type Chapter = Course["course_chapter"][number];
export type Unit = Chapter["units"][number];
/** One lecture; `duration` is in seconds. */
export type Lesson = Unit["lessons"][number];

export type MaintenanceWindows = Ok<paths["/api/maintenance/"]["get"]>;
export type MaintenanceWindow = MaintenanceWindows["windows"][number];

/** The body of a 503 (the specification, §3: maintenance state). */
export interface MaintenanceInfo {
  title: string;
  message: string;
  /** RFC 3339, UTC. */
  starts_at: string | null;
  /** RFC 3339, UTC; null while nobody knows. */
  ends_at: string | null;
  affected: string[];
}
