/**
 * Why the login is shown: a page needs it, the person signed out, the session expired, or the
 * session was ended elsewhere, e.g. by a new password.
 */
export type LoginReason = "needed" | "signedOut" | "expired" | "ended";

let kept: LoginReason | null = null;

/** Kept in memory until the person leaves the login screen. */
export const loginReason = {
  /** The first reason is kept: calls that fail because the session ended follow it. */
  keep: (reason: LoginReason) => {
    kept ??= reason;
  },
  read: () => kept,
  forget: () => {
    kept = null;
  },
};
