/** What people say and hear on their way into an account, as the API's document describes it. */
import type { Answer, Body } from "@konomana/http";

export type SignUp = Body<"POST", "/api/accounts/signup/">;

/** The secret by which this browser goes on with its sign-up, and the seconds until the next mail. */
export type SignUpStarted = Answer<"POST", "/api/accounts/signup/">;

/** What proves the address: the code of the mail, or its link. */
export type SignUpProof = Body<"POST", "/api/accounts/signup/verify/">;
export type SignUpVerified = Answer<"POST", "/api/accounts/signup/verify/">;

/** The rest of what an account is made of; no school year where it follows from the birth date. */
export type SignUpPerson = Body<"POST", "/api/accounts/signup/complete/">;

export type PasswordChange = Body<"POST", "/api/accounts/login/change/">;
export type ResetLink = Body<"POST", "/api/accounts/password/reset/check/">;
export type NewPassword = Body<"POST", "/api/accounts/password/reset/confirm/">;

/** The guardian of a minor who is asked. */
export type Consent = Body<"POST", "/api/accounts/guardian/consent/">;
/** A guardian who agrees, by the link of a mail. */
export type GivenConsent = Body<"POST", "/api/accounts/guardian/consent/confirm/">;

/** Something that is for sale. */
export type Product = Answer<"GET", "/api/commerce/product/">["results"][number];

/** A change of a learner's birth date that a guardian is asked about. */
export type BirthDateChange = Answer<"POST", "/api/accounts/guardian/birth-date/check/">;

/** What the browser is to sign; `challenge` goes back with what it signed. */
export interface PasskeyRequest {
  challenge: string;
  options: { publicKey: PublicKeyCredentialRequestOptionsJSON };
}

export type PasskeyAnswer = Body<"POST", "/api/accounts/login/passkey/">;
