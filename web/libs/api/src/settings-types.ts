/** What an account has besides its person, by the contract of `/api/accounts/`. */

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
