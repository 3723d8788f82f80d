import type { Consent, SignUpPerson } from "../api";
import { isMinor, limits, lineOf, parseDay, rules, todayInTokyo, choiceOf } from "@konomana/form";
import * as v from "valibot";
import type { PendingSignUp } from "./pendingSignUp";

/** The values of the last step of a sign-up. */
export interface Person {
  /** Only for a sign-up through the link. */
  password: string;
  last_name: string;
  first_name: string;
  last_name_kana: string;
  first_name_kana: string;
  birth_date: string;
  /** Empty if it follows from the birth date. */
  school_year: string;
  /** Whether a guardian is named now. It can be done later. */
  with_guardian: boolean;
  guardian_name: string;
  guardian_relation: string;
  guardian_email: string;
}

export const nobody: Person = {
  password: "",
  last_name: "",
  first_name: "",
  last_name_kana: "",
  first_name_kana: "",
  birth_date: "",
  school_year: "",
  with_guardian: false,
  guardian_name: "",
  guardian_relation: "",
  guardian_email: "",
};

/** The relations of a guardian to a minor. */
export const relations = ["母", "父", "祖父母", "その他の保護者"] as const;

const own = {
  last_name: rules.name,
  first_name: rules.name,
  last_name_kana: rules.kana,
  first_name_kana: rules.kana,
  birth_date: rules.birthDate,
};

const chosen = { password: rules.newPassword };

const guardian = {
  guardian_name: lineOf(limits.guardianName),
  guardian_relation: choiceOf(relations),
  guardian_email: rules.email,
};

/** Whether the birth date, as far as it is typed, makes the person a minor. */
export function isMinorBorn(birthDate: string): boolean {
  const birth = parseDay(birthDate);
  return birth !== null && v.is(rules.birthDate, birthDate) && isMinor(birth, todayInTokyo());
}

/** Whether this person names a guardian now. */
function namesGuardian({ kind }: Pick<PendingSignUp, "kind">, person: Person): boolean {
  return kind === "learner" && person.with_guardian && isMinorBorn(person.birth_date);
}

/** A guardian must be an adult. */
const ofAge = v.pipe(
  rules.birthDate,
  v.check((birthDate) => !isMinorBorn(birthDate), "GUARDIAN_UNDER_18"),
);

export function schemaFor(
  pending: Pick<PendingSignUp, "kind" | "byLink">,
  person: Person,
): v.GenericSchema {
  const asked: v.ObjectEntries = {
    ...own,
    ...(pending.kind === "guardian" ? { birth_date: ofAge } : {}),
    ...(pending.byLink ? chosen : {}),
    ...(namesGuardian(pending, person) ? guardian : {}),
  };
  return v.object(asked);
}

/** The request body for the typed values. */
export function completed({ signup, kind, byLink }: PendingSignUp, person: Person): SignUpPerson {
  return {
    signup,
    ...(byLink ? v.parse(v.object(chosen), person) : {}),
    ...v.parse(v.object(own), person),
    school_year: kind === "learner" && person.school_year !== "" ? person.school_year : null,
  };
}

/** The consent request to send right away. `null` if no guardian is named now. */
export function consentOf(pending: PendingSignUp, person: Person): Consent | null {
  if (!namesGuardian(pending, person)) return null;
  const named = v.parse(v.object(guardian), person);
  return {
    name: named.guardian_name,
    relation: named.guardian_relation,
    email: named.guardian_email,
  };
}
