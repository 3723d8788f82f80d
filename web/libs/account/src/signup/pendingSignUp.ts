import { tabStorage } from "@konomana/browser";

/** What this browser knows of a sign-up on its way. */
export interface PendingSignUp {
  /** The secret by which it goes on. */
  signup: string;
  email: string;
  /** `learner` or `guardian`. */
  kind: string;
  /** Whether the address is known to be theirs. */
  verified: boolean;
  /** Whether the mail's link proved it; then the password is chosen at the end, by whoever opened it. */
  byLink: boolean;
  /** When the code can be sent again, in milliseconds since 1970. */
  resendAt: number;
}

const KEY = "konomana.signup";

/** The sign-up of this tab, which survives a reload and ends with the tab. */
export const pendingSignUp = {
  read: () => tabStorage.readJson(KEY) as PendingSignUp | null,
  keep: (pending: PendingSignUp) => tabStorage.writeJson(KEY, pending),
  forget: () => tabStorage.remove(KEY),
};
