/**
 * Why the login is shown: a page needs it, the person signed out, the session has expired, or it was ended
 * elsewhere, e.g. by a new password.
 */
export type LoginReason = "needed" | "signedOut" | "expired" | "ended";

let kept: LoginReason | null = null;

/** Lives in this page's memory, until the login that shows it is left. */
export const loginReason = {
  /** The first one stays: calls that fail because a session has ended come after its end. */
  keep: (reason: LoginReason) => {
    kept ??= reason;
  },
  read: () => kept,
  forget: () => {
    kept = null;
  },
};
