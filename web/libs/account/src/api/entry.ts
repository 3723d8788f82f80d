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
 * The calls of sign-up, sign-in and recovery. All except `askConsent` are sent without a token.
 * Failures are `ApiError`s. No answer reveals whether an address has an account.
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

  /** Changes the password of an account that must do so before it can sign in. */
  changePassword: (change: PasswordChange) =>
    callPublic("POST", "/api/accounts/login/change/", { body: change }),

  /** Reopens an account that is scheduled for closing. */
  reopen: (credentials: Credentials) =>
    callPublic("POST", "/api/accounts/login/reopen/", { body: credentials }),

  /** Sends no account: the device knows which passkeys it holds. */
  passkeyOptions: () =>
    callPublic("POST", "/api/accounts/login/passkey/options/") as Promise<PasskeyRequest>,

  passkeyLogin: (answer: PasskeyAnswer) =>
    callPublic("POST", "/api/accounts/login/passkey/", { body: answer }),

  askReset: (email: string) =>
    callPublic("POST", "/api/accounts/password/reset/", { body: { email } }),

  /** Checks whether the link is still valid. Changes nothing. */
  checkReset: (link: ResetLink, signal?: AbortSignal) =>
    callPublic("POST", "/api/accounts/password/reset/check/", { body: link, signal }),

  reset: (reset: NewPassword) =>
    callPublic("POST", "/api/accounts/password/reset/confirm/", { body: reset }),

  confirmEmail: (token: string) =>
    callPublic("POST", "/api/accounts/email/confirm/", { body: { token } }),

  /** Cancels a change of the address that is not confirmed yet. */
  stopEmail: (token: string) =>
    callPublic("POST", "/api/accounts/email/stop/", { body: { token } }),

  undoEmail: (token: string) =>
    callPublic("POST", "/api/accounts/email/undo/", { body: { token } }),

  /** The people that the link concerns. Changes nothing. */
  checkConsent: (token: string, signal?: AbortSignal) =>
    callPublic("POST", "/api/accounts/guardian/consent/check/", { body: { token }, signal }),

  confirmConsent: (consent: GivenConsent) =>
    callPublic("POST", "/api/accounts/guardian/consent/confirm/", { body: consent }),

  /** The products on sale with their prices. */
  products: (signal?: AbortSignal) => callPublic("GET", "/api/commerce/product/", { signal }),

  /** The people that the link concerns. Changes nothing. */
  checkWithdrawal: (token: string, signal?: AbortSignal) =>
    callPublic("POST", "/api/accounts/guardian/consent/withdraw/check/", {
      body: { token },
      signal,
    }),

  withdrawConsent: (token: string) =>
    callPublic("POST", "/api/accounts/guardian/consent/withdraw/", { body: { token } }),

  /** The change that the link asks for. Changes nothing. */
  checkBirthDate: (token: string, signal?: AbortSignal) =>
    callPublic("POST", "/api/accounts/guardian/birth-date/check/", { body: { token }, signal }),

  decideBirthDate: (decision: { token: string; approve: boolean }) =>
    callPublic("POST", "/api/accounts/guardian/birth-date/", { body: decision }),

  /** Ends the mails of the topic of the token. */
  unsubscribe: (token: string) =>
    callPublic("POST", "/api/desk/notification/unsubscribe/{token}/", { params: { token } }),
};
