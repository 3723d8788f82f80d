/** Requests and answers of sign-up, sign-in and recovery, from the API document. */
import type { Answer, Body } from "@konomana/http";

export type SignUp = Body<"POST", "/api/accounts/signup/">;

/**
 * The secret with which this browser continues its sign-up, and the seconds until the next mail may
 * be sent.
 */
export type SignUpStarted = Answer<"POST", "/api/accounts/signup/">;

/** Proof of the address: the code of the mail or the token of its link. */
export type SignUpProof = Body<"POST", "/api/accounts/signup/verify/">;
export type SignUpVerified = Answer<"POST", "/api/accounts/signup/verify/">;

/**
 * The remaining fields of an account. The school year is absent where it follows from the birth
 * date.
 */
export type SignUpPerson = Body<"POST", "/api/accounts/signup/complete/">;

export type PasswordChange = Body<"POST", "/api/accounts/login/change/">;
export type ResetLink = Body<"POST", "/api/accounts/password/reset/check/">;
export type NewPassword = Body<"POST", "/api/accounts/password/reset/confirm/">;

/** The guardian whose consent is requested for a minor. */
export type Consent = Body<"POST", "/api/accounts/guardian/consent/">;
/** A guardian's consent, given through the link of a mail. */
export type GivenConsent = Body<"POST", "/api/accounts/guardian/consent/confirm/">;

/** A product on sale. */
export type Product = Answer<"GET", "/api/commerce/product/">["results"][number];

/** A change of a learner's birth date that awaits a guardian's approval. */
export type BirthDateChange = Answer<"POST", "/api/accounts/guardian/birth-date/check/">;

/** The options that the browser signs. `challenge` is sent back with the signature. */
export interface PasskeyRequest {
  challenge: string;
  options: { publicKey: PublicKeyCredentialRequestOptionsJSON };
}

export type PasskeyAnswer = Body<"POST", "/api/accounts/login/passkey/">;
