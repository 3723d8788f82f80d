import type { Credentials } from "@konomana/session";

let kept: Credentials | null = null;

/**
 * Correct credentials of a person who must first choose a new password. They are held only in the
 * memory of this page: after a reload they must be typed again.
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
