/** What people settle about their own account, as the API's document describes it. */
import type { Answer, Body } from "@konomana/http";

/** What people write about themselves; a school year of null follows from the birth date. */
export type Profile = Body<"PUT", "/api/accounts/profile/">;

/** A postal address; every part is empty when it was never told. `phone` is E.164. */
export type Address = Answer<"GET", "/api/accounts/address/">;

/** One of the towns that a postal code stands for. */
export type Town = Answer<"GET", "/api/postal/{postal_code}/">[number];

/** A signed-in browser; `device` and `place` are words to show. */
export type Device = Answer<"GET", "/api/accounts/sessions/">["results"][number];

/** The guardian of a minor who is asked. */
export type Consent = Body<"POST", "/api/accounts/guardian/consent/">;

/** What a learner reads to their guardian; good for one use until `expires_at`. */
export type GuardianCode = Answer<"POST", "/api/accounts/guardian/code/">;

type GuardianLinks = Answer<"GET", "/api/accounts/guardian/links/">;
export type GuardianLink = GuardianLinks["results"][number];
/** A guardian has looked at something. */
export type GuardianView = GuardianLinks["views"][number];

export type Passkey = Answer<"GET", "/api/accounts/passkeys/">["results"][number];

/** What the browser is to make a passkey from; `challenge` goes back with what it made. */
export interface PasskeyOptions {
  challenge: string;
  options: { publicKey: PublicKeyCredentialCreationOptionsJSON };
}

export type NewPasskey = Body<"POST", "/api/accounts/passkeys/">;
