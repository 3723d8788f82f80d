import { tabStorage } from "@konomana/browser";

/** What this browser stores about a sign-up in progress. */
export interface PendingSignUp {
  /** The secret that continues it. */
  signup: string;
  email: string;
  /** `learner` or `guardian`. */
  kind: string;
  /** Whether the address is confirmed. */
  verified: boolean;
  /** Whether the mail's link confirmed it. Then the password is chosen in the last step. */
  byLink: boolean;
  /** When the code can be sent again, in milliseconds since 1970. */
  resendAt: number;
}

const KEY = "konomana.signup";

/** The sign-up of this tab. It survives a reload and ends with the tab. */
export const pendingSignUp = {
  read: () => tabStorage.readJson(KEY) as PendingSignUp | null,
  keep: (pending: PendingSignUp) => tabStorage.writeJson(KEY, pending),
  forget: () => tabStorage.remove(KEY),
};
