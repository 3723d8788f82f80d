import { tabStorage } from "@konomana/browser";

const KEY = "konomana.later";

/**
 * The course that a visitor wants to bookmark. It is bookmarked when they return to it after the
 * sign-up.
 */
export const wantedCourse = {
  keep: (course: number) => tabStorage.write(KEY, String(course)),
  /** Returns whether this is the wanted course, and removes it if so. */
  take: (course: number) => {
    const isWanted = tabStorage.read(KEY) === String(course);
    if (isWanted) tabStorage.remove(KEY);
    return isWanted;
  },
};
