import { call, callPublic } from "@konomana/http";
import type { Credentials } from "@konomana/session";
import type {
  Consent,
  GivenConsent,
  NewPassword,
  PasskeyAnswer,
  PasskeyRequest,
  PasswordChange,
  ResetLink,
  SignUp,
  SignUpPerson,
  SignUpProof,
} from "./accountTypes";

/**
 * The calls of sign-up, sign-in and recovery. All but `askConsent` are made without a token. Failures are `ApiError`s.
 * No answer tells whether an address has an account.
 */
export const entry = {
  signUp: (signUp: SignUp) => callPublic("POST", "/api/accounts/signup/", { body: signUp }),

  resend: (signup: string) =>
    callPublic("POST", "/api/accounts/signup/resend/", { body: { signup } }),

  verify: (proof: SignUpProof) =>
    callPublic("POST", "/api/accounts/signup/verify/", { body: proof }),

  signUpStatus: (signup: string, signal?: AbortSignal) =>
    callPublic("POST", "/api/accounts/signup/status/", { body: { signup }, signal }),

  complete: (person: SignUpPerson) =>
    callPublic("POST", "/api/accounts/signup/complete/", { body: person }),

  /** Asks the guardian of a minor for consent, by mail. */
  askConsent: (consent: Consent) =>
    call("POST", "/api/accounts/guardian/consent/", { body: consent }),

  /** For an account that must change its password before it goes on. */
  changePassword: (change: PasswordChange) =>
    callPublic("POST", "/api/accounts/login/change/", { body: change }),

  /** Takes up an account that is about to be closed. */
  reopen: (credentials: Credentials) =>
    callPublic("POST", "/api/accounts/login/reopen/", { body: credentials }),

  /** Nobody is named: the device knows whose passkeys it has. */
  passkeyOptions: () =>
    callPublic("POST", "/api/accounts/login/passkey/options/") as Promise<PasskeyRequest>,

  passkeyLogin: (answer: PasskeyAnswer) =>
    callPublic("POST", "/api/accounts/login/passkey/", { body: answer }),

  askReset: (email: string) =>
    callPublic("POST", "/api/accounts/password/reset/", { body: { email } }),

  /** Whether the link still works; changes nothing. */
  checkReset: (link: ResetLink, signal?: AbortSignal) =>
    callPublic("POST", "/api/accounts/password/reset/check/", { body: link, signal }),

  reset: (reset: NewPassword) =>
    callPublic("POST", "/api/accounts/password/reset/confirm/", { body: reset }),

  confirmEmail: (token: string) =>
    callPublic("POST", "/api/accounts/email/confirm/", { body: { token } }),

  /** Ends the change that is not confirmed yet. */
  stopEmail: (token: string) =>
    callPublic("POST", "/api/accounts/email/stop/", { body: { token } }),

  undoEmail: (token: string) =>
    callPublic("POST", "/api/accounts/email/undo/", { body: { token } }),

  /** Whom the link is about; changes nothing. */
  checkConsent: (token: string, signal?: AbortSignal) =>
    callPublic("POST", "/api/accounts/guardian/consent/check/", { body: { token }, signal }),

  confirmConsent: (consent: GivenConsent) =>
    callPublic("POST", "/api/accounts/guardian/consent/confirm/", { body: consent }),

  /** What is for sale, and for how much. */
  products: (signal?: AbortSignal) => callPublic("GET", "/api/commerce/product/", { signal }),

  /** Whom the link is about; changes nothing. */
  checkWithdrawal: (token: string, signal?: AbortSignal) =>
    callPublic("POST", "/api/accounts/guardian/consent/withdraw/check/", {
      body: { token },
      signal,
    }),

  withdrawConsent: (token: string) =>
    callPublic("POST", "/api/accounts/guardian/consent/withdraw/", { body: { token } }),

  /** What the link asks for; changes nothing. */
  checkBirthDate: (token: string, signal?: AbortSignal) =>
    callPublic("POST", "/api/accounts/guardian/birth-date/check/", { body: { token }, signal }),

  decideBirthDate: (decision: { token: string; approve: boolean }) =>
    callPublic("POST", "/api/accounts/guardian/birth-date/", { body: decision }),
};
