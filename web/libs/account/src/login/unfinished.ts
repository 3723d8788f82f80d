import type { Credentials } from "@konomana/session";

let kept: Credentials | null = null;

/**
 * Credentials that were right, while the person has to choose a new password first. They live in this
 * page's memory alone: a reload asks for them again.
 */
export const unfinishedLogin = {
  keep: (credentials: Credentials) => {
    kept = credentials;
  },
  read: () => kept,
  forget: () => {
    kept = null;
  },
};
