import { screens } from "./screens";
import type { SuccessYearNumber } from "./success";

/** What may stand in a query string. Null, undefined and empty text are left out. */
type QueryValue = string | number | null | undefined | readonly string[];

/** The names of a pattern's parameters: `"/course/:id"` has `"id"`. */
type Param<Pattern extends string> = Pattern extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Param<`/${Rest}`>
  : Pattern extends `${string}:${infer Name}`
    ? Name
    : never;

function fill<Pattern extends string>(
  pattern: Pattern,
  params: Readonly<Record<Param<Pattern>, string | number>>,
): string {
  return pattern.replace(/:(\w+)/g, (_, name: Param<Pattern>) =>
    encodeURIComponent(String(params[name])),
  );
}

/** Adds a query string to a path; values that say nothing are dropped, several ones repeat the name. */
function withQuery(path: string, query: Readonly<Record<string, QueryValue>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) {
      if (one !== null && one !== undefined && one !== "") search.append(name, String(one));
    }
  }
  const text = search.toString();
  return text === "" ? path : `${path}?${text}`;
}

/** Page 1 is the address without a page, so that one list has one address. */
function pageOf(page: number | undefined): QueryValue {
  return page === 1 ? undefined : page;
}

/** How the catalogue can be ordered; the first one is what it is where nothing is said. */
export const courseSorts = ["recommended", "new", "price", "-price", "duration"] as const;

export type CourseSort = (typeof courseSorts)[number];

/** What the catalogue can be narrowed to, and its order; they live in the address. */
export interface CourseFilters {
  /** 中1 to 高3; any of them. */
  school_year?: readonly string[] | undefined;
  /** 英語, 数学, …; any of them. */
  category?: readonly string[] | undefined;
  /** 基礎, 標準, 発展; any of them. */
  level?: readonly string[] | undefined;
  /** Whole yen, tax included. */
  price_min?: number | undefined;
  price_max?: number | undefined;
  /** Words of which each must be found. */
  q?: string | undefined;
  sort?: CourseSort | undefined;
  page?: number | undefined;
}

/** What a search can be narrowed to, in the order in which results are shown. */
export const searchKinds = ["course", "lesson", "teacher", "notice", "faq"] as const;

export type SearchKind = (typeof searchKinds)[number];

/** What 最近見た shows: lessons that were watched, notes, courses that were looked at; the first one by itself. */
export const recentKinds = ["lesson", "note", "course"] as const;

export type RecentKind = (typeof recentKinds)[number];

/** What the notices can be narrowed to. */
export interface NoticeFilters {
  category?: string | undefined;
  page?: number | undefined;
}

/** What the answers can be narrowed to. */
export interface AnswerFilters {
  category?: string | undefined;
  /** Words to look for. */
  q?: string | undefined;
  page?: number | undefined;
}

/** What the finished questions can be narrowed to. */
export interface ResultFilters {
  /** 英語, 数学, … */
  subject?: string | undefined;
  page?: number | undefined;
}

/** How a question is answered: for the one graded try where nothing is said. */
export interface AnswerMode {
  /** The round of practice that the answer belongs to. */
  result?: number | undefined;
  /** Because it is due again. */
  review?: boolean | undefined;
}

/** The address of every screen. Nothing else builds a URL of the site. */
export const paths = {
  home: () => fill(screens.home.pattern, {}),
  courses: (filters: CourseFilters = {}) => {
    const { school_year, category, level, price_min, price_max, q, sort, page } = filters;
    const order = sort === courseSorts[0] ? undefined : sort;
    const narrowed = { school_year, category, level, price_min, price_max, q };
    return withQuery(screens.courses.pattern, { ...narrowed, sort: order, page: pageOf(page) });
  },
  course: (id: number) => fill(screens.course.pattern, { id }),
  student: () => fill(screens.student.pattern, {}),
  parent: () => fill(screens.parent.pattern, {}),
  about: () => fill(screens.about.pattern, {}),
  konomoshi: () => fill(screens.konomoshi.pattern, {}),
  konoshiki: () => fill(screens.konoshiki.pattern, {}),
  konoshikiEula: () => fill(screens.konoshikiEula.pattern, {}),
  eula: () => fill(screens.eula.pattern, {}),
  privacy: () => fill(screens.privacy.pattern, {}),
  commerce: () => fill(screens.commerce.pattern, {}),
  /** A lesson in the outline of its course. */
  courseLesson: (course: number, lesson: number) =>
    `${fill(screens.course.pattern, { id: course })}#lesson-${lesson}`,
  teachers: (page?: number) => withQuery(screens.teachers.pattern, { page: pageOf(page) }),
  teacher: (id: number) => fill(screens.teacher.pattern, { id }),
  search: ({ q, kind, page }: { q?: string; kind?: SearchKind | undefined; page?: number } = {}) =>
    withQuery(screens.search.pattern, { q, kind, page: pageOf(page) }),
  notices: ({ category, page }: NoticeFilters = {}) =>
    withQuery(screens.notices.pattern, { category, page: pageOf(page) }),
  notice: (id: number) => fill(screens.notice.pattern, { id }),
  answers: ({ category, q, page }: AnswerFilters = {}) =>
    withQuery(screens.answers.pattern, { category, q, page: pageOf(page) }),
  answer: (id: number) => fill(screens.answer.pattern, { id }),
  contact: () => fill(screens.contact.pattern, {}),
  contactComplete: () => fill(screens.contactComplete.pattern, {}),
  entryExam: (prefecture?: string) => withQuery(screens.entryExam.pattern, { prefecture }),
  success: (year: SuccessYearNumber) => fill(screens[`success${year}`].pattern, {}),
  signup: (campaign?: string) => withQuery(screens.signup.pattern, { campaign }),
  signupVerify: () => fill(screens.signupVerify.pattern, {}),
  signupComplete: () => fill(screens.signupComplete.pattern, {}),
  login: () => fill(screens.login.pattern, {}),
  password: () => fill(screens.password.pattern, {}),
  passwordResetForm: () => fill(screens.passwordResetForm.pattern, {}),
  passwordResetComplete: () => fill(screens.passwordResetComplete.pattern, {}),
  passwordChange: () => fill(screens.passwordChange.pattern, {}),
  mypage: () => fill(screens.mypage.pattern, {}),
  myCourses: (page?: number) => withQuery(screens.myCourses.pattern, { page: pageOf(page) }),
  learning: (id: number) => fill(screens.learning.pattern, { id }),
  question: (lesson: number, question: number, { result, review }: AnswerMode = {}) =>
    withQuery(fill(screens.question.pattern, { id: lesson, questionId: question }), {
      result,
      review: review ? "true" : undefined,
    }),
  result: (lesson: number, result: number) =>
    fill(screens.result.pattern, { id: lesson, resultId: result }),
  results: ({ subject, page }: ResultFilters = {}) =>
    withQuery(screens.results.pattern, { subject, page: pageOf(page) }),
  /** What is due for review, on the screen of the results. */
  review: () => `${screens.results.pattern}#review`,
  /** A lesson in the outline of a course that somebody owns. */
  learningLesson: (item: number, lesson: number) =>
    `${fill(screens.learning.pattern, { id: item })}#lesson-${lesson}`,
  /** One lesson before it is played. */
  lesson: (id: number) => fill(screens.lesson.pattern, { id }),
  recent: ({ show, q, page }: { show?: RecentKind; q?: string; page?: number } = {}) =>
    withQuery(screens.recent.pattern, {
      show: show === recentKinds[0] ? undefined : show,
      q,
      page: pageOf(page),
    }),
  bookmarks: (page?: number) => withQuery(screens.bookmarks.pattern, { page: pageOf(page) }),
  favorites: ({ course, page }: { course?: number | undefined; page?: number | undefined } = {}) =>
    withQuery(screens.favorites.pattern, { course, page: pageOf(page) }),
  /** A lesson's player; with `at`, from that second on. */
  lecture: (id: number, { at }: { at?: number | undefined } = {}) =>
    withQuery(fill(screens.lecture.pattern, { id }), { at }),
  child: (id: string) => fill(screens.child.pattern, { id }),
  settings: () => fill(screens.settings.pattern, {}),
  settingsBase: () => fill(screens.settingsBase.pattern, {}),
  settingsEmail: () => fill(screens.settingsEmail.pattern, {}),
  settingsAddress: () => fill(screens.settingsAddress.pattern, {}),
  settingsPassword: () => fill(screens.settingsPassword.pattern, {}),
  settingsDevices: () => fill(screens.settingsDevices.pattern, {}),
  settingsGuardian: () => fill(screens.settingsGuardian.pattern, {}),
  settingsClose: () => fill(screens.settingsClose.pattern, {}),
  /** For somebody who may take up their account again until then. */
  closed: (until: string) => withQuery(screens.closed.pattern, { until }),
  maintenance: () => fill(screens.maintenance.pattern, {}),
};

/** The file beside a prerendered page that holds its loader's data. */
export function payloadPath(path: string): string {
  return path === "/" ? "/_payload.json" : `${path}/_payload.json`;
}
