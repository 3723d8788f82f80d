/** Types of the inventory and the marks (the specification, §3), from the API document. */
import type { Answer, Item } from "@konomana/http";

export type InventoryList = Answer<"GET", "/api/lms/inventory/">;
/**
 * 所有講座: one course that one person can use until `expire_at` (RFC 3339, UTC; `null` is unlimited).
 */
export type InventoryItem = Item<"/api/lms/inventory/">;
/** A course with its tree, without its price. */
export type CourseTree = InventoryItem["course"];
export type Chapter = CourseTree["course_chapter"][number];
export type Unit = Chapter["units"][number];
/** One lesson; `duration` is in seconds. */
export type Lesson = Unit["lessons"][number];

export type BookmarkPage = Answer<"GET", "/api/lms/bookmark/">;
/** あとで見る: a bookmarked course. `is_check` is true if every lesson of it is checked. */
export type Bookmark = Item<"/api/lms/bookmark/">;

/** Favorites and checks have the same shape: a lesson, and when it was marked. */
export type MarkPage = Answer<"GET", "/api/lms/favorite/">;
export type Mark = Item<"/api/lms/favorite/">;

/** The three marks a learner sets: あとで見る on a course, お気に入り and 学習済みチェック on a lesson. */
export type MarkKind = "bookmark" | "favorite" | "check";
