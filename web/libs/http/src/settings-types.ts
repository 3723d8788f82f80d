/** What people settle about their own account, as the edge's API document describes it. */
import type { Accepted, Body, Made, Ok } from "./of-schema";
import type { paths } from "./schema";

/** What people write about themselves; a school year of null follows from the birth date. */
export type Profile = Body<paths["/api/accounts/profile/"]["put"]>;

/** A postal address; every part is empty when it was never told. `phone` is E.164. */
export type Address = Ok<paths["/api/accounts/address/"]["get"]>;

/** One of the towns that a postal code stands for. */
export type Town = Ok<paths["/api/postal/{postal_code}/"]["get"]>[number];

/** A signed-in browser; `device` and `place` are words to show. */
export type Device = Ok<paths["/api/accounts/sessions/"]["get"]>["results"][number];

/** The guardian of a minor who is asked. */
export type Consent = Body<paths["/api/accounts/guardian/consent/"]["post"]>;

/** What a learner reads to their guardian; good for one use until `expires_at`. */
export type GuardianCode = Made<paths["/api/accounts/guardian/code/"]["post"]>;

export type GuardianLinks = Ok<paths["/api/accounts/guardian/links/"]["get"]>;
export type GuardianLink = GuardianLinks["results"][number];
/** A guardian has looked at something. */
export type GuardianView = GuardianLinks["views"][number];

/** The child whose code a guardian has used. */
export type LinkedChild = Made<paths["/api/accounts/guardian/link/"]["post"]>;

export type Child = Ok<paths["/api/accounts/guardian/children/"]["get"]>["results"][number];
export type ChildProgress = Ok<paths["/api/accounts/guardian/children/{id}/"]["get"]>;
export type ChildCourse = ChildProgress["courses"][number];

/** An account is about to be closed. */
export type Closing = Accepted<paths["/api/accounts/close/"]["post"]>;

export type Passkey = Ok<paths["/api/accounts/passkeys/"]["get"]>["results"][number];

/** What the browser is to make a passkey from; `challenge` goes back with what it made. */
export interface PasskeyOptions {
  challenge: string;
  options: { publicKey: PublicKeyCredentialCreationOptionsJSON };
}

export interface NewPasskey {
  challenge: string;
  name: string;
  /** As the browser writes it. */
  credential: object;
}
