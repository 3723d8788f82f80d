import { tabStorage } from "@konomana/browser";

const KEY = "konomana.later";

/** The course that a visitor wants to put aside; it is, once they come back to it signed up. */
export const laterAfterSignUp = {
  keep: (course: number) => tabStorage.write(KEY, String(course)),
  /** Whether it was this course; it is asked for once. */
  take: (course: number) => {
    const isWanted = tabStorage.read(KEY) === String(course);
    if (isWanted) tabStorage.remove(KEY);
    return isWanted;
  },
};
