import type { SignUp } from "../api";
import { createDraft } from "@konomana/session";
import { forgetCampaign } from "@konomana/visitor";
import { pendingSignUp } from "./pendingSignUp";
import { nobody, type Person } from "./person";

/** The values of the first step of a sign-up. */
export type Beginning = Omit<SignUp, "campaign">;

/** Stores every field except the password. */
export const beginningDraft = createDraft<Beginning>("signup", ["kind", "email", "terms", "news"]);

/** Stores every field except the password. */
export const personDraft = createDraft<Person>(
  "person",
  (Object.keys(nobody) as (keyof Person)[]).filter((field) => field !== "password"),
);

/** Removes the data of the sign-up once the account exists. */
export function forgetSignUp(): void {
  pendingSignUp.forget();
  forgetCampaign();
  beginningDraft.clear();
  personDraft.clear();
}
