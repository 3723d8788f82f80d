import { useSyncExternalStore } from "react";

/**
 * For all tabs: the courses looked at in this browser, the newest first. Visitors have no account that could
 * keep them. They stand here because two domains share them, which may not import each other.
 */
const KEY = "konomana.looked";

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
const listeners = new Set<() => void>();

/** What was read last: the same text is the same list. */
let known: { text: string | null; courses: readonly LookedCourse[] } = {
  text: null,
  courses: nothing,
};

/** The courses looked at in this browser, the newest first. */
export function lookedCourses(): readonly LookedCourse[] {
  const text = localStorage.getItem(KEY);
  if (text !== known.text) known = { text, courses: read(text) };
  return known.courses;
}

/** Puts a course at the front. A browser that keeps nothing forgets it; the page does not mind. */
export function rememberLooked({ id, name, category, school_year }: LookedCourse): void {
  const others = lookedCourses().filter((one) => one.id !== id);
  const courses = [{ id, name, category, school_year }, ...others].slice(0, KEPT);
  try {
    localStorage.setItem(KEY, JSON.stringify(courses));
  } catch {
    return;
  }
  tell();
}

/** Nobody after this person sees what they have looked at. */
export function forgetLooked(): void {
  localStorage.removeItem(KEY);
  tell();
}

/** The courses looked at in this browser, for a component; other tabs change them too. */
export function useLookedCourses(): readonly LookedCourse[] {
  return useSyncExternalStore(subscribe, lookedCourses, () => nothing);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  globalThis.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    globalThis.removeEventListener("storage", listener);
  };
}

function tell(): void {
  for (const listener of listeners) listener();
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
