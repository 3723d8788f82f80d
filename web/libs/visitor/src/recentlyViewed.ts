import { useSyncExternalStore } from "react";
import { LOOKED_KEY, lookedListeners } from "./forget";

/*
 * For all tabs: the courses looked at in this browser, the newest first. Visitors have no account that could
 * keep them. They stand here because two domains share them, which may not import each other.
 */

/** So many are kept. */
const KEPT = 20;

/** A course that somebody has looked at, as much of it as is shown again. */
export interface LookedCourse {
  id: number;
  name: string;
  category: string;
  school_year: string;
}

const nothing: readonly LookedCourse[] = [];

/** What was read last: the same text is the same list. */
let known: { text: string | null; courses: readonly LookedCourse[] } = {
  text: null,
  courses: nothing,
};

/** The courses looked at in this browser, the newest first. */
export function lookedCourses(): readonly LookedCourse[] {
  const text = localStorage.getItem(LOOKED_KEY);
  if (text !== known.text) known = { text, courses: read(text) };
  return known.courses;
}

/** Puts a course at the front. A browser that keeps nothing forgets it; the page does not mind. */
export function rememberLooked({ id, name, category, school_year }: LookedCourse): void {
  const others = lookedCourses().filter((one) => one.id !== id);
  const courses = [{ id, name, category, school_year }, ...others].slice(0, KEPT);
  try {
    localStorage.setItem(LOOKED_KEY, JSON.stringify(courses));
  } catch {
    return;
  }
  for (const listener of lookedListeners) listener();
}

/** The courses looked at in this browser, for a component; other tabs change them too. */
export function useLookedCourses(): readonly LookedCourse[] {
  return useSyncExternalStore(subscribe, lookedCourses, () => nothing);
}

function subscribe(listener: () => void): () => void {
  lookedListeners.add(listener);
  globalThis.addEventListener("storage", listener);
  return () => {
    lookedListeners.delete(listener);
    globalThis.removeEventListener("storage", listener);
  };
}

/** What was not written here is not believed. */
function read(text: string | null): readonly LookedCourse[] {
  try {
    const kept: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(kept) ? kept.filter(isLooked) : nothing;
  } catch {
    return nothing;
  }
}

function isLooked(value: unknown): value is LookedCourse {
  const { id, name, category, school_year } = (value ?? {}) as Partial<LookedCourse>;
  return Number.isSafeInteger(id) && [name, category, school_year].every(isText);
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}
