import { PERSONAL } from "@konomana/http";
import type { MarkKind } from "./learnerTypes";

const lesson = [...PERSONAL, "lesson"] as const;
const recent = [...PERSONAL, "recent"] as const;
const inventory = [...PERSONAL, "inventory"] as const;
const mark = (kind: MarkKind) => [...PERSONAL, kind] as const;

/**
 * The query keys of the inventory. `lists` is the prefix of every key except that of a single item.
 */
export const inventoryKeys = {
  lists: inventory,
  page: (page: string) => [...inventory, { page }] as const,
  whole: [...inventory, "whole"] as const,
  /** The person's own inventory item of a course. */
  ofCourse: (course: number) => [...inventory, { course }] as const,
  items: [...PERSONAL, "inventory-item"] as const,
  item: (id: number | string) => [...PERSONAL, "inventory-item", String(id)] as const,
};

/** The query keys of the marks of one kind. `all` is their common prefix. */
export const markKeys = {
  all: mark,
  page: (kind: MarkKind, page: string) => [...mark(kind), { page }] as const,
  /** Every bookmarked course. */
  courses: [...mark("bookmark"), "whole"] as const,
  /** Every marked lesson of one course. */
  ofCourse: (kind: "favorite" | "check", course: number) => [...mark(kind), { course }] as const,
};

/** The query keys of lessons in the player. Invalidate them when a mark changes. */
export const lessonKeys = {
  all: lesson,
  one: (id: number | string) => [...lesson, String(id)] as const,
};

/** The query keys of watched lessons. Invalidate them when a mark changes. */
export const recentKeys = {
  all: recent,
  page: (page: string) => [...recent, { page }] as const,
  ofCourse: (course: number) => [...recent, { course }] as const,
};
