import { sendPublic } from "./transport/send";
import type {
  BirthDateChange,
  ConsentAsked,
  GivenConsent,
  NewPassword,
  PasskeyAnswer,
  PasskeyRequest,
  PasswordChange,
  ResetLink,
  SignUp,
  SignUpPerson,
  SignUpProof,
  SignUpResent,
  SignUpStarted,
  SignUpStatus,
  SignUpVerified,
} from "./entry-types";
import type { Credentials, Tokens } from "./types";

const post = <Answer>(path: string, body: object, signal?: AbortSignal) =>
  sendPublic<Answer>({ method: "POST", url: `/api/accounts/${path}`, body, signal });

/**
 * The way into an account, call by call: nobody is signed in yet. A failure is an `ApiError`. Whether an
 * address has an account is never told.
 */
export const entry = {
  signUp: (signUp: SignUp) => post<SignUpStarted>("signup/", signUp),

  resend: (signup: string) => post<SignUpResent>("signup/resend/", { signup }),

  verify: (proof: SignUpProof) => post<SignUpVerified>("signup/verify/", proof),

  signUpStatus: (signup: string, signal?: AbortSignal) =>
    post<SignUpStatus>("signup/status/", { signup }, signal),

  complete: (person: SignUpPerson) => post<Tokens>("signup/complete/", person),

  /** For an account that must change its password before it goes on. */
  changePassword: (change: PasswordChange) => post<Tokens>("login/change/", change),

  /** Takes up an account that is about to be closed. */
  reopen: (credentials: Credentials) => post<Tokens>("login/reopen/", credentials),

  /** Nobody is named: the device knows whose passkeys it has. */
  passkeyOptions: () => post<PasskeyRequest>("login/passkey/options/", {}),

  passkeyLogin: (answer: PasskeyAnswer) => post<Tokens>("login/passkey/", answer),

  askReset: (email: string) => post<void>("password/reset/", { email }),

  /** Whether the link still works; changes nothing. */
  checkReset: (link: ResetLink, signal?: AbortSignal) =>
    post<void>("password/reset/check/", link, signal),

  reset: (reset: NewPassword) => post<void>("password/reset/confirm/", reset),

  confirmEmail: (token: string) => post<void>("email/confirm/", { token }),

  /** Ends the change that is not confirmed yet. */
  stopEmail: (token: string) => post<void>("email/stop/", { token }),

  undoEmail: (token: string) => post<void>("email/undo/", { token }),

  /** Whom the link is about; changes nothing. */
  checkConsent: (token: string, signal?: AbortSignal) =>
    post<ConsentAsked>("guardian/consent/check/", { token }, signal),

  confirmConsent: (consent: GivenConsent) => post<void>("guardian/consent/confirm/", consent),

  /** Whom the link is about; changes nothing. */
  checkWithdrawal: (token: string, signal?: AbortSignal) =>
    post<ConsentAsked>("guardian/consent/withdraw/check/", { token }, signal),

  withdrawConsent: (token: string) => post<void>("guardian/consent/withdraw/", { token }),

  /** What the link asks for; changes nothing. */
  checkBirthDate: (token: string, signal?: AbortSignal) =>
    post<BirthDateChange>("guardian/birth-date/check/", { token }, signal),

  decideBirthDate: (decision: { token: string; approve: boolean }) =>
    post<void>("guardian/birth-date/", decision),
};
