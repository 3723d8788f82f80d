/** What people say and hear on their way into an account, by the contract of `/api/accounts/`. */

export type AccountKind = "learner" | "guardian";

export interface SignUp {
  email: string;
  password: string;
  kind: AccountKind;
  terms: boolean;
  /** Whether news may be mailed. */
  news: boolean;
}

/** The secret by which this browser goes on with its sign-up. */
export interface SignUpStarted {
  signup: string;
  /** Seconds until the code can be sent again. */
  resend_after: number;
  expires_at: string;
}

/** What proves the address: the code of the mail, or its link. */
export type SignUpProof = { signup: string; code: string } | { token: string };

export interface SignUpVerified {
  signup: string;
  email: string;
  kind: AccountKind;
}

export interface SignUpStatus {
  state: "waiting" | "verified" | "done";
  email: string;
  kind: AccountKind;
}

export interface SignUpPerson {
  signup: string;
  last_name: string;
  first_name: string;
  last_name_kana: string;
  first_name_kana: string;
  birth_date: string;
  /** Null where it follows from the birth date, and for guardians. */
  school_year: string | null;
}

export interface ResetLink {
  uid: string;
  token: string;
}

export interface ConsentAsked {
  learner_name: string;
  guardian_name: string;
}

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
