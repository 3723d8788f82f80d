import { createStore, sharedStorage, useStore } from "@konomana/browser";
import { useEffect } from "react";

/** For all tabs; a sign-out removes it. */
const KEY = "konomana.recently-viewed";

/** How many courses are kept. */
const MAX_COURSES = 20;

/** A viewed course, as much of it as is shown again. */
export interface RecentCourse {
  id: number;
  name: string;
  category: string;
  school_year: string;
}

const none: readonly RecentCourse[] = [];

/** The courses that were viewed in this browser, the newest first. */
export const recentlyViewed = createStore(none, () => {
  const stored = sharedStorage.readJson(KEY);
  return Array.isArray(stored) ? stored.filter(isCourse) : none;
});

/** Puts a course at the front. */
export function addRecentlyViewed({ id, name, category, school_year }: RecentCourse): void {
  recentlyViewed.reload();
  const others = recentlyViewed.get().filter((one) => one.id !== id);
  const courses = [{ id, name, category, school_year }, ...others].slice(0, MAX_COURSES);
  sharedStorage.writeJson(KEY, courses);
  recentlyViewed.set(courses);
}

/** Removes the courses, for this person and for the next one. */
export function clearRecentlyViewed(): void {
  sharedStorage.remove(KEY);
  recentlyViewed.set(none);
}

/** The courses that were viewed in this browser, for a component; other tabs change them too. */
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
