import { createStore, sharedStorage, useStore } from "@konomana/browser";
import { useEffect } from "react";

/** Shared by all tabs. A sign-out removes it. */
const KEY = "konomana.recently-viewed";

/** The maximum number of stored courses. */
const MAX_COURSES = 20;

/** The displayed fields of a viewed course. */
export interface RecentCourse {
  id: number;
  name: string;
  category: string;
  school_year: string;
}

const none: readonly RecentCourse[] = [];

/** The courses viewed in this browser, newest first. */
export const recentlyViewed = createStore(none, () => {
  const stored = sharedStorage.readJson(KEY);
  return Array.isArray(stored) ? stored.filter(isCourse) : none;
});

/** Adds a course at the front. */
export function addRecentlyViewed({ id, name, category, school_year }: RecentCourse): void {
  recentlyViewed.reload();
  const others = recentlyViewed.get().filter((one) => one.id !== id);
  const courses = [{ id, name, category, school_year }, ...others].slice(0, MAX_COURSES);
  sharedStorage.writeJson(KEY, courses);
  recentlyViewed.set(courses);
}

/** Removes the viewed courses of this browser. */
export function clearRecentlyViewed(): void {
  sharedStorage.remove(KEY);
  recentlyViewed.set(none);
}

/** Hook for the courses viewed in this browser. Follows changes from other tabs. */
export function useRecentlyViewed(): readonly RecentCourse[] {
  useEffect(() => {
    const follow = ({ key }: StorageEvent) => {
      if (key === KEY || key === null) recentlyViewed.reload();
    };
    globalThis.addEventListener("storage", follow);
    return () => globalThis.removeEventListener("storage", follow);
  }, []);
  return useStore(recentlyViewed);
}

function isCourse(value: unknown): value is RecentCourse {
  const { id, name, category, school_year } = (value ?? {}) as Partial<RecentCourse>;
  return Number.isSafeInteger(id) && [name, category, school_year].every(isText);
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}
