/**
 * Every screen of the site, once: its pattern, its layout, who may open it and how it is served.
 *
 * The router, the prerender script, the route table of the static service and the end-to-end sweep
 * derive from this table. A screen is listed here only when it is real (the specification, §2).
 */

/** The seven layouts (the specification, §2). */
export const layouts = [
  "default",
  "mypage",
  "custom",
  "lecture",
  "lecturev2",
  "test",
  "none",
] as const;

export type Layout = (typeof layouts)[number];

/** The permissions that a user's `scope` list may hold. */
export type Scope = "learner" | "guardian" | "staff:content" | "staff:support" | "staff:commerce";

/**
 * How a screen reaches the browser:
 * `prerendered` is one HTML file made at build; those `per` something are one for each of them that the
 * build knows, with its identifier for `:id`; `client` is the empty shell, kept from search engines.
 */
export type Serving = "prerendered" | ServingPer | "client";

/** What has a page for each of its kind. */
export type ServingPer = "per-course" | "per-teacher" | "per-notice" | "per-answer";

/** What a route's parameters hold, by name. */
export type RouteParams = Readonly<Record<string, string | undefined>>;

export interface Screen {
  /** The pattern, with `:name` for a parameter. */
  readonly pattern: string;
  readonly layout: Layout;
  /** Set where sign-in is required: the permission that the signed-in user needs, or `any` where none is. */
  readonly scope?: Scope | "any";
  readonly serving: Serving;
  /** Prerendered, but kept from search engines. */
  readonly hidden?: true;
  /** The validity check of the specification, §5; a screen without one takes every parameter. */
  readonly valid?: (params: RouteParams) => boolean;
}

/** An identifier as the API gives them: a whole number from 1, without leading zeros. */
function hasIdentifier({ id }: RouteParams): boolean {
  return id !== undefined && /^[1-9]\d*$/.test(id) && Number.isSafeInteger(Number(id));
}

/** An account's identifier, a UUID. */
function hasAccount({ id }: RouteParams): boolean {
  return id !== undefined && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(id);
}

/** A question of a lesson. */
function hasQuestion({ id, questionId }: RouteParams): boolean {
  return hasIdentifier({ id }) && hasIdentifier({ id: questionId });
}

/** A result of a lesson: the graded one, or a round of practice. */
function hasResult({ id, resultId }: RouteParams): boolean {
  return hasIdentifier({ id }) && hasIdentifier({ id: resultId });
}

export const screens = {
  home: { pattern: "/", layout: "default", serving: "prerendered" },
  courses: { pattern: "/course", layout: "default", serving: "prerendered" },
  course: {
    pattern: "/course/:id",
    layout: "default",
    serving: "per-course",
    valid: hasIdentifier,
  },
  student: { pattern: "/student", layout: "default", serving: "prerendered" },
  parent: { pattern: "/parent", layout: "default", serving: "prerendered" },
  about: { pattern: "/about", layout: "default", serving: "prerendered" },
  konomoshi: { pattern: "/konomoshi", layout: "default", serving: "prerendered" },
  konoshiki: { pattern: "/konoshiki", layout: "default", serving: "prerendered" },
  konoshikiEula: { pattern: "/konoshiki-eula", layout: "default", serving: "prerendered" },
  eula: { pattern: "/eula", layout: "default", serving: "prerendered" },
  privacy: { pattern: "/privacy", layout: "default", serving: "prerendered" },
  commerce: { pattern: "/commerce", layout: "default", serving: "prerendered" },
  examParent: { pattern: "/campaign/exam-parent", layout: "default", serving: "prerendered" },
  examStudent: { pattern: "/campaign/exam-student", layout: "default", serving: "prerendered" },
  examStudentVer1: {
    pattern: "/campaign/exam-student-ver1",
    layout: "default",
    serving: "prerendered",
  },
  summer2024: { pattern: "/campaign/summer-2024", layout: "default", serving: "prerendered" },
  lineBridge: { pattern: "/line-bridge", layout: "none", serving: "prerendered", hidden: true },
  tiktokBridge: { pattern: "/tiktok-bridge", layout: "none", serving: "prerendered", hidden: true },
  teachers: { pattern: "/teacher", layout: "default", serving: "prerendered" },
  teacher: {
    pattern: "/teacher/:id",
    layout: "default",
    serving: "per-teacher",
    valid: hasIdentifier,
  },
  search: { pattern: "/search", layout: "default", serving: "client" },
  notices: { pattern: "/notice", layout: "default", serving: "prerendered" },
  notice: {
    pattern: "/notice/:id",
    layout: "default",
    serving: "per-notice",
    valid: hasIdentifier,
  },
  answers: { pattern: "/inquiry", layout: "default", serving: "prerendered" },
  answer: {
    pattern: "/inquiry/:id",
    layout: "default",
    serving: "per-answer",
    valid: hasIdentifier,
  },
  contact: { pattern: "/contact", layout: "default", serving: "prerendered" },
  contactComplete: {
    pattern: "/contact/complete",
    layout: "default",
    serving: "prerendered",
    hidden: true,
  },
  entryExam: { pattern: "/entry-exam", layout: "default", serving: "prerendered" },
  success2025: { pattern: "/success/2025", layout: "default", serving: "prerendered" },
  success2024: { pattern: "/success/2024", layout: "default", serving: "prerendered" },
  success2022: { pattern: "/success/2022", layout: "default", serving: "prerendered" },
  signup: { pattern: "/signup", layout: "default", serving: "client" },
  signupVerify: { pattern: "/signup/verify", layout: "default", serving: "client" },
  signupComplete: { pattern: "/signup/complete", layout: "default", serving: "client" },
  login: { pattern: "/login", layout: "default", serving: "client" },
  password: { pattern: "/login/password", layout: "default", serving: "client" },
  passwordReset: {
    pattern: "/login/password/reset/:uid/:token",
    layout: "default",
    serving: "client",
  },
  // Where the link above leads at once, so that its token stays out of the address bar.
  passwordResetForm: { pattern: "/login/password/reset", layout: "default", serving: "client" },
  passwordResetComplete: {
    pattern: "/login/password/reset/complete",
    layout: "default",
    serving: "client",
  },
  passwordChange: { pattern: "/login/password/change", layout: "default", serving: "client" },
  confirmEmail: { pattern: "/confirm/email", layout: "default", serving: "client" },
  confirmStop: { pattern: "/confirm/stop", layout: "default", serving: "client" },
  confirmUndo: { pattern: "/confirm/undo", layout: "default", serving: "client" },
  confirmGuardian: { pattern: "/confirm/guardian", layout: "default", serving: "client" },
  confirmWithdraw: { pattern: "/confirm/withdraw", layout: "default", serving: "client" },
  confirmBirthDate: { pattern: "/confirm/birth-date", layout: "default", serving: "client" },
  mypage: { pattern: "/mypage", layout: "mypage", scope: "any", serving: "client" },
  myCourses: { pattern: "/mypage/course", layout: "mypage", scope: "learner", serving: "client" },
  // The spelling is the specification's.
  learning: {
    pattern: "/mypage/learnning/:id",
    layout: "mypage",
    scope: "learner",
    serving: "client",
    valid: hasIdentifier,
  },
  question: {
    pattern: "/lecture/:id/question/:questionId",
    layout: "lecturev2",
    scope: "learner",
    serving: "client",
    valid: hasQuestion,
  },
  result: {
    pattern: "/lecture/:id/result/:resultId",
    layout: "lecturev2",
    scope: "learner",
    serving: "client",
    valid: hasResult,
  },
  results: { pattern: "/mypage/result", layout: "mypage", scope: "learner", serving: "client" },
  lesson: {
    pattern: "/mypage/lecture/:id",
    layout: "mypage",
    scope: "learner",
    serving: "client",
    valid: hasIdentifier,
  },
  // Visitors see here what this browser remembers.
  recent: { pattern: "/mypage/recent", layout: "mypage", serving: "client" },
  bookmarks: { pattern: "/mypage/bookmark", layout: "mypage", scope: "learner", serving: "client" },
  favorites: { pattern: "/mypage/favorite", layout: "mypage", scope: "learner", serving: "client" },
  child: {
    pattern: "/mypage/child/:id",
    layout: "mypage",
    scope: "guardian",
    serving: "client",
    valid: hasAccount,
  },
  lecture: {
    pattern: "/lecture/:id",
    layout: "lecture",
    scope: "learner",
    serving: "client",
    valid: hasIdentifier,
  },
  settings: { pattern: "/mypage/settings", layout: "mypage", scope: "any", serving: "client" },
  settingsBase: {
    pattern: "/mypage/settings/base",
    layout: "mypage",
    scope: "any",
    serving: "client",
  },
  settingsEmail: {
    pattern: "/mypage/settings/email",
    layout: "mypage",
    scope: "any",
    serving: "client",
  },
  settingsAddress: {
    pattern: "/mypage/settings/address",
    layout: "mypage",
    scope: "any",
    serving: "client",
  },
  settingsPassword: {
    pattern: "/mypage/settings/password",
    layout: "mypage",
    scope: "any",
    serving: "client",
  },
  settingsDevices: {
    pattern: "/mypage/settings/devices",
    layout: "mypage",
    scope: "any",
    serving: "client",
  },
  settingsGuardian: {
    pattern: "/mypage/settings/guardian",
    layout: "mypage",
    scope: "learner",
    serving: "client",
  },
  settingsClose: {
    pattern: "/mypage/settings/close",
    layout: "mypage",
    scope: "any",
    serving: "client",
  },
  closed: { pattern: "/login/closed", layout: "default", serving: "client" },
  maintenance: { pattern: "/maintenance", layout: "none", serving: "client" },
} as const satisfies Record<string, Screen>;

export type ScreenName = keyof typeof screens;

/** The table as a list, for those who walk it; a field that a row leaves out is optional here. */
export const allScreens: readonly (Screen & { readonly name: ScreenName })[] = Object.entries(
  screens,
).map(([name, screen]) => ({ ...screen, name: name as ScreenName }));
