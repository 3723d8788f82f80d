import { makeAddress, toQueryValues } from "./screenAddress";
import type { SuccessYearNumber } from "./success";

/** The sort orders of the catalogue. The first one is the default. */
export const courseSorts = ["recommended", "new", "price", "-price", "duration"] as const;

export type CourseSort = (typeof courseSorts)[number];

/** The filters and the sort order of the catalogue. They are stored in the address. */
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
  /** Search words. Every word must match. */
  q?: string | undefined;
  sort?: CourseSort | undefined;
  page?: number | undefined;
}

/** The kinds of search results, in display order. */
export const searchKinds = ["course", "lesson", "teacher", "notice", "faq"] as const;

export type SearchKind = (typeof searchKinds)[number];

/** The kinds of 最近見た: watched lessons, notes, viewed courses. The first one is the default. */
export const recentKinds = ["lesson", "note", "course"] as const;

export type RecentKind = (typeof recentKinds)[number];

/** The filter of 所有講座: all courses, or the courses in one state. */
export type OwnedState = "all" | "learning" | "complete" | "expired" | "new";

/** The filters of the notices. */
export interface NoticeFilters {
  category?: string | undefined;
  page?: number | undefined;
}

/** The filters of the answers. */
export interface AnswerFilters {
  category?: string | undefined;
  /** Search words. */
  q?: string | undefined;
  page?: number | undefined;
}

/** The filters of the answered questions. */
export interface ResultFilters {
  /** 英語, 数学, … */
  subject?: string | undefined;
  page?: number | undefined;
}

/** The payment method of an order. */
export interface ConfirmQuery {
  method?: string | undefined;
}

/** Parameters that a page passes to the sign-up. */
export interface SignUpQuery {
  campaign?: string | undefined;
  /** The preselected kind of account, set by pages for guardians. */
  kind?: "guardian" | undefined;
  /** The course to return to and to bookmark. */
  course?: number | undefined;
}

/** How a question is answered. Without a parameter it is the one graded attempt. */
export interface AnswerMode {
  /** The practice round that the answer belongs to. */
  result?: number | undefined;
  /** The question is due for review. */
  review?: boolean | undefined;
}

/** What a question to a teacher is about. */
export interface QuestionPlace {
  lesson?: number | undefined;
  /** The second of the lesson's video. */
  at?: number | undefined;
  /** A question of the lesson. */
  exercise?: number | undefined;
}

/** Which free slots for interviews are shown, and why. */
export interface InterviewWeekQuery {
  /** A day of the week, `2026-12-01`; without it, the week of the first free slot. */
  day?: string | undefined;
  /** Only the slots of this teacher. */
  teacher?: string | undefined;
  /** The interview to be replaced. */
  change?: string | undefined;
  /** The child of the guardian who books. */
  child?: Child;
}

/** Whose screen a guardian opens: the account of a linked child. Learners open their own. */
type Child = string | undefined;

/** A paper of an exam and the number of a question in it. */
export interface SittingPlace {
  paper?: number | undefined;
  question?: number | undefined;
}

const ofPaper = (paper?: number) => ({ paper });

const paged = (page?: number) => ({ page });

/** Query of the payment screens: the order. */
const ofOrder = (order?: string) => ({ order });
const ofChild = (child?: Child) => ({ child });

/**
 * The address of each screen, by the domain whose library has the screen. No other module builds
 * URLs of the site.
 */
export const addresses = {
  catalog: {
    home: makeAddress("/"),
    courses: makeAddress(
      "/course",
      ({
        school_year,
        category,
        level,
        price_min,
        price_max,
        q,
        sort,
        page,
      }: CourseFilters = {}) => ({
        school_year,
        category,
        level,
        price_min,
        price_max,
        q,
        sort: sort === courseSorts[0] ? undefined : sort,
        page,
      }),
    ),
    course: makeAddress("/course/:id"),
    teachers: makeAddress("/teacher", paged),
    teacher: makeAddress("/teacher/:id"),
    search: makeAddress(
      "/search",
      toQueryValues<{ q?: string; kind?: SearchKind | undefined; page?: number }>,
    ),
  },
  about: {
    student: makeAddress("/student"),
    parent: makeAddress("/parent"),
    about: makeAddress("/about"),
    konomoshi: makeAddress("/konomoshi"),
    konoshiki: makeAddress("/konoshiki"),
    konoshikiEula: makeAddress("/konoshiki-eula"),
    eula: makeAddress("/eula"),
    privacy: makeAddress("/privacy"),
    commerce: makeAddress("/commerce"),
    examParent: makeAddress("/campaign/exam-parent"),
    examStudent: makeAddress("/campaign/exam-student"),
    examStudentVer1: makeAddress("/campaign/exam-student-ver1"),
    summer2024: makeAddress("/campaign/summer-2024"),
    lineBridge: makeAddress("/line-bridge"),
    tiktokBridge: makeAddress("/tiktok-bridge"),
  },
  support: {
    notices: makeAddress("/notice", toQueryValues<NoticeFilters>),
    notice: makeAddress("/notice/:id"),
    /** The notices for the signed-in person. */
    memberNotices: makeAddress("/mypage/notice", paged),
    memberNotice: makeAddress("/mypage/notice/:id"),
    schoolEvents: makeAddress("/mypage/event"),
    schoolEvent: makeAddress("/mypage/event/:id"),
    answers: makeAddress("/inquiry", toQueryValues<AnswerFilters>),
    answer: makeAddress("/inquiry/:id"),
    contact: makeAddress("/contact"),
    contactComplete: makeAddress("/contact/complete"),
    entryExam: makeAddress("/entry-exam", (prefecture?: string) => ({ prefecture })),
    success2025: makeAddress("/success/2025"),
    success2024: makeAddress("/success/2024"),
    success2022: makeAddress("/success/2022"),
  },
  account: {
    signup: makeAddress("/signup", toQueryValues<SignUpQuery>),
    signupVerify: makeAddress("/signup/verify"),
    signupComplete: makeAddress("/signup/complete"),
    login: makeAddress("/login"),
    password: makeAddress("/login/password"),
    passwordReset: makeAddress("/login/password/reset/:uid/:token"),
    /** The address above redirects here, so its token does not stay in the address bar. */
    passwordResetForm: makeAddress("/login/password/reset"),
    passwordResetComplete: makeAddress("/login/password/reset/complete"),
    passwordChange: makeAddress("/login/password/change"),
    confirmEmail: makeAddress("/confirm/email"),
    confirmStop: makeAddress("/confirm/stop"),
    confirmUndo: makeAddress("/confirm/undo"),
    confirmGuardian: makeAddress("/confirm/guardian"),
    confirmWithdraw: makeAddress("/confirm/withdraw"),
    confirmBirthDate: makeAddress("/confirm/birth-date"),
    confirmUnsubscribe: makeAddress("/confirm/unsubscribe"),
  },
  learning: {
    mypage: makeAddress("/mypage"),
    ownedCourses: makeAddress(
      "/mypage/course",
      ({ state, page }: { state?: OwnedState; page?: number } = {}) => ({
        state: state === "all" ? undefined : state,
        page,
      }),
    ),
    /** The spelling comes from the specification. */
    ownedCourse: makeAddress("/mypage/learnning/:id"),
    /** The page of one lesson, before playback. */
    lesson: makeAddress("/mypage/lecture/:id"),
    recent: makeAddress(
      "/mypage/recent",
      ({ show, q, page }: { show?: RecentKind; q?: string; page?: number } = {}) => ({
        show: show === recentKinds[0] ? undefined : show,
        q,
        page,
      }),
    ),
    bookmarks: makeAddress("/mypage/bookmark", paged),
    favorites: makeAddress(
      "/mypage/favorite",
      toQueryValues<{ course?: number | undefined; page?: number | undefined }>,
    ),
    child: makeAddress("/mypage/child/:account"),
    /** What linked guardians see of the learner, for the learner. */
    guardianView: makeAddress("/mypage/guardian-view"),
    /** The public page that checks certificates. */
    certificateCheck: makeAddress("/certificate"),
    /** The check of one certificate. */
    certificate: makeAddress("/certificate/:certificate"),
    /** Questions of mock exams that are due for review. */
    examReviews: makeAddress("/mypage/review"),
    studyPlan: makeAddress("/mypage/plan"),
    /** The player of a lesson. `at` is the start position in seconds. */
    lecture: makeAddress("/lecture/:id", toQueryValues<{ at?: number | undefined }>),
    question: makeAddress(
      "/lecture/:id/question/:questionId",
      ({ result, review }: AnswerMode = {}) => ({ result, review: review ? "true" : undefined }),
    ),
    result: makeAddress("/lecture/:id/result/:resultId"),
    results: makeAddress("/mypage/result", toQueryValues<ResultFilters>),
  },
  buying: {
    cart: makeAddress("/cart"),
    cartCoupons: makeAddress("/cart/coupon"),
    cartCoupon: makeAddress("/cart/coupon/:id"),
    cartConfirm: makeAddress("/cart/confirm", toQueryValues<ConfirmQuery>),
    payment: makeAddress("/payment", ofOrder),
    paymentComplete: makeAddress("/payment/complete", ofOrder),
    /** Return address of the payment provider's page. */
    paymentCredit: makeAddress("/payment/complete/credit", ofOrder),
    paymentBank: makeAddress("/payment/complete/bank", ofOrder),
    paymentSubscribe: makeAddress("/payment/complete/subscribe", ofOrder),
    paymentError: makeAddress("/payment/error", ofOrder),
    orders: makeAddress("/mypage/history", paged),
    order: makeAddress("/mypage/history/:order"),
    receipt: makeAddress("/mypage/history/:order/purchase"),
    coupons: makeAddress("/mypage/coupon"),
    coupon: makeAddress("/mypage/coupon/:id"),
    /** The refund quote of an order, and the refund request. */
    refund: makeAddress("/mypage/history/:order/refund"),
    returnInvoice: makeAddress("/mypage/history/:order/refund/:refund"),
    subscription: makeAddress("/mypage/history/subscribe/:subscription"),
  },
  exam: {
    /** The free check. With an identifier, one specific check. */
    freeCheck: makeAddress("/test", (check?: number) => ({ check })),
    /** The public page that checks the receipt of a paper. */
    receiptCheck: makeAddress("/konomoshi/receipt"),
    mockExams: makeAddress("/mypage/mockexam"),
    mockExam: makeAddress("/mypage/mockexam/:id"),
    basicInfo: makeAddress("/mypage/mockexam/:id/basicinfo"),
    desiredSchools: makeAddress("/mypage/mockexam/:id/schoolinfo"),
    desiredSchool: makeAddress("/mypage/mockexam/:id/schoolinfo/:desired_rank"),
    deviceCheck: makeAddress("/mypage/mockexam/:id/environmentinfo"),
    /** A paper of the exam, at one of its questions. */
    examSitting: makeAddress("/mypage/mockexam/:id/exam", toQueryValues<SittingPlace>),
    /** The unanswered questions, before a paper is handed in. */
    examCheck: makeAddress("/mypage/mockexam/:id/exam/checkpage", ofPaper),
    /** The handed-in answers. */
    examHandedIn: makeAddress("/mypage/mockexam/:id/exam/checkresult", ofPaper),
    examDone: makeAddress("/mypage/mockexam/:id/success"),
    examResult: makeAddress("/mypage/mockexam/:id/result"),
    examPaperResult: makeAddress("/mypage/mockexam/:id/result/:resultId"),
    /** The same results of a child, for the guardian. */
    childExamResult: makeAddress("/mypage/child/:account/mockexam/:id/result"),
    childPaperResult: makeAddress("/mypage/child/:account/mockexam/:id/result/:resultId"),
  },
  settings: {
    settings: makeAddress("/mypage/settings"),
    settingsBase: makeAddress("/mypage/settings/base"),
    settingsEmail: makeAddress("/mypage/settings/email"),
    settingsAddress: makeAddress("/mypage/settings/address"),
    settingsPassword: makeAddress("/mypage/settings/password"),
    /** Return address of the payment provider's page. */
    settingsCard: makeAddress("/mypage/settings/card"),
    settingsDevices: makeAddress("/mypage/settings/devices"),
    settingsGuardian: makeAddress("/mypage/settings/guardian"),
    settingsNotification: makeAddress("/mypage/settings/notification"),
    settingsCalendar: makeAddress("/mypage/settings/calendar"),
    settingsClose: makeAddress("/mypage/settings/close"),
    /** For a person who can reopen their account until the date `until`. */
    closed: makeAddress("/login/closed", (until?: string) => ({ until })),
  },
  teacherQuestion: {
    teacherQuestions: makeAddress("/mypage/question", paged),
    askTeacher: makeAddress("/mypage/question/new", toQueryValues<QuestionPlace>),
    teacherQuestion: makeAddress("/mypage/question/:thread"),
    /** The answered questions of a lesson that their learners share. */
    lessonQuestions: makeAddress("/mypage/question/lesson/:id", paged),
  },
  interview: {
    interviews: makeAddress("/mypage/interview", ofChild),
    /** The kinds of interviews that can be booked. */
    interviewKinds: makeAddress("/mypage/interview/register", ofChild),
    interviewSlots: makeAddress(
      "/mypage/interview/register/:id",
      toQueryValues<InterviewWeekQuery>,
    ),
    interviewBooked: makeAddress("/mypage/interview/register/complete/:interview", ofChild),
  },
  class: {
    /** The week of a day, `2026-12-01`; without it, this week. */
    classWeek: makeAddress("/mypage/class", (day?: string) => ({ day })),
  },
  site: {
    maintenance: makeAddress("/maintenance"),
  },
};

/** An object with the properties of every member of a union. */
type Merged<Union> = (Union extends unknown ? (member: Union) => void : never) extends (
  merged: infer All,
) => void
  ? All
  : never;

/** The addresses of all domains. A spread of each domain would take more bytes on every page. */
const merged = Object.assign({}, ...Object.values(addresses)) as Merged<
  (typeof addresses)[keyof typeof addresses]
>;

/** Every address of the site by name, and anchors within screens. */
export const paths = {
  ...merged,
  success: (year: SuccessYearNumber) => addresses.support[`success${year}`](),
  /** The sample videos of a course, which need no account. */
  courseSample: (course: number) => `${addresses.catalog.course(course)}#look`,
  /** The monthly services, below the courses. */
  monthlyServices: () => `${addresses.catalog.courses()}#monthly`,
  /** A lesson in the outline of its course. */
  courseLesson: (course: number, lesson: number) =>
    `${addresses.catalog.course(course)}#lesson-${lesson}`,
  /** A lesson in the outline of an owned course. */
  ownedLesson: (item: number, lesson: number) =>
    `${addresses.learning.ownedCourse(item)}#lesson-${lesson}`,
  /** The questions due for review, on the results screen. */
  review: () => `${addresses.learning.results()}#review`,
};

/** The file beside a prerendered page with its loader's data. */
export function payloadPath(path: string): string {
  return path === "/" ? "/_payload.json" : `${path}/_payload.json`;
}
