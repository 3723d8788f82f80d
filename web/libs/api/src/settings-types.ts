/** What an account has besides its person, by the contract of `/api/accounts/`. */
import type { Ok } from "./of-schema";
import type { paths } from "./schema";

/** What people write about themselves; a school year of null follows from the birth date. */
export interface Profile {
  last_name: string;
  first_name: string;
  last_name_kana: string;
  first_name_kana: string;
  birth_date: string;
  school_year: string | null;
  school_name: string;
  news: boolean;
}

/** A postal address; every part is empty when it was never told. `phone` is E.164. */
export interface Address {
  postal_code: string;
  prefecture: string;
  city: string;
  town: string;
  building: string;
  phone: string;
}

/** One of the towns that a postal code stands for. */
export type Town = Pick<Address, "postal_code" | "prefecture" | "city" | "town">;

/** A signed-in browser; `device` and `place` are words to show. */
export interface Device {
  id: string;
  device: string;
  place: string;
  created: string;
  last_used: string;
  is_current: boolean;
}

export type Relation = "母" | "父" | "祖父母" | "その他の保護者";

export interface Consent {
  name: string;
  relation: string;
  email: string;
}

/** What a learner reads to their guardian; good for one use until `expires_at`. */
export interface GuardianCode {
  code: string;
  expires_at: string;
}

export interface GuardianLink {
  id: string;
  name: string;
  since: string;
}

/** A guardian has looked at something. */
export interface GuardianView {
  name: string;
  what: string;
  at: string;
}

export interface GuardianLinks {
  results: GuardianLink[];
  views: GuardianView[];
}

export interface Child {
  id: string;
  link_id: string;
  name: string;
  school_year: string | null;
  since: string;
}

export interface ChildCourse {
  id: number;
  name: string;
  lesson_count: number;
  check_count: number;
  completed_at: string | null;
  expire_at: string | null;
  last_watched_at: string | null;
}

export interface ChildProgress {
  id: string;
  name: string;
  school_year: string | null;
  courses: ChildCourse[];
}

export interface Closing {
  erase_at: string;
}

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
