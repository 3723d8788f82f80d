import type { SignUp } from "../api";
import { createDraft } from "@konomana/session";
import { forgetCampaign } from "@konomana/visitor";
import { pendingSignUp } from "./pendingSignUp";
import { nobody, type Person } from "./person";

/** What is typed at the beginning of a sign-up. */
export type Beginning = Omit<SignUp, "campaign">;

/** All but the password. */
export const beginningDraft = createDraft<Beginning>("signup", ["kind", "email", "terms", "news"]);

/** All but the password. */
export const personDraft = createDraft<Person>(
  "person",
  (Object.keys(nobody) as (keyof Person)[]).filter((field) => field !== "password"),
);

/** There is an account: what led to it is forgotten. */
export function forgetSignUp(): void {
  pendingSignUp.forget();
  forgetCampaign();
  beginningDraft.clear();
  personDraft.clear();
}
