/** What people say and hear on their way into an account, as the API's document describes it. */
import type { Accepted, Body, Ok } from "./of-schema";
import type { paths } from "./schema";

export type SignUp = Body<paths["/api/accounts/signup/"]["post"]>;

/** The secret by which this browser goes on with its sign-up, and the seconds until the next mail. */
export type SignUpStarted = Accepted<paths["/api/accounts/signup/"]["post"]>;
export type SignUpResent = Accepted<paths["/api/accounts/signup/resend/"]["post"]>;

/** What proves the address: the code of the mail, or its link. */
export type SignUpProof = Body<paths["/api/accounts/signup/verify/"]["post"]>;
export type SignUpVerified = Ok<paths["/api/accounts/signup/verify/"]["post"]>;
export type SignUpStatus = Ok<paths["/api/accounts/signup/status/"]["post"]>;

/** The rest of what an account is made of; no school year where it follows from the birth date. */
export type SignUpPerson = Body<paths["/api/accounts/signup/complete/"]["post"]>;

export type PasswordChange = Body<paths["/api/accounts/login/change/"]["post"]>;
export type ResetLink = Body<paths["/api/accounts/password/reset/check/"]["post"]>;
export type NewPassword = Body<paths["/api/accounts/password/reset/confirm/"]["post"]>;

/** Whom a guardian is asked about. */
export type ConsentAsked = Ok<paths["/api/accounts/guardian/consent/check/"]["post"]>;

/** A guardian who agrees, by the link of a mail. */
export type GivenConsent = Body<paths["/api/accounts/guardian/consent/confirm/"]["post"]>;

/** A change of a learner's birth date that a guardian is asked about. */
export type BirthDateChange = Ok<paths["/api/accounts/guardian/birth-date/check/"]["post"]>;

/** What the browser is to sign; `challenge` goes back with what it signed. */
export interface PasskeyRequest {
  challenge: string;
  options: { publicKey: PublicKeyCredentialRequestOptionsJSON };
}

export interface PasskeyAnswer {
  challenge: string;
  /** As the browser writes it. */
  credential: object;
}
