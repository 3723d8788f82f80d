import { address, asQuery } from "./screenAddress";
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
}

/** A paper of an exam and the number of a question in it. */
export interface SittingPlace {
  paper?: number | undefined;
  question?: number | undefined;
}

const ofPaper = (paper?: number) => ({ paper });

const paged = (page?: number) => ({ page });

/** Query of the payment screens: the order. */
const ofOrder = (order?: string) => ({ order });

/**
 * The address of each screen, by the domain whose library has the screen. No other module builds
 * URLs of the site.
 */
export const addresses = {
  catalog: {
    home: address("/"),
    courses: address(
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
    course: address("/course/:id"),
    teachers: address("/teacher", paged),
    teacher: address("/teacher/:id"),
    search: address(
      "/search",
      asQuery<{ q?: string; kind?: SearchKind | undefined; page?: number }>,
    ),
  },
  about: {
    student: address("/student"),
    parent: address("/parent"),
    about: address("/about"),
    konomoshi: address("/konomoshi"),
    konoshiki: address("/konoshiki"),
    konoshikiEula: address("/konoshiki-eula"),
    eula: address("/eula"),
    privacy: address("/privacy"),
    commerce: address("/commerce"),
    examParent: address("/campaign/exam-parent"),
    examStudent: address("/campaign/exam-student"),
    examStudentVer1: address("/campaign/exam-student-ver1"),
    summer2024: address("/campaign/summer-2024"),
    lineBridge: address("/line-bridge"),
    tiktokBridge: address("/tiktok-bridge"),
  },
  support: {
    notices: address("/notice", asQuery<NoticeFilters>),
    notice: address("/notice/:id"),
    /** The notices for the signed-in person. */
    memberNotices: address("/mypage/notice", paged),
    memberNotice: address("/mypage/notice/:id"),
    schoolEvents: address("/mypage/event"),
    schoolEvent: address("/mypage/event/:id"),
    answers: address("/inquiry", asQuery<AnswerFilters>),
    answer: address("/inquiry/:id"),
    contact: address("/contact"),
    contactComplete: address("/contact/complete"),
    entryExam: address("/entry-exam", (prefecture?: string) => ({ prefecture })),
    success2025: address("/success/2025"),
    success2024: address("/success/2024"),
    success2022: address("/success/2022"),
  },
  account: {
    signup: address("/signup", asQuery<SignUpQuery>),
    signupVerify: address("/signup/verify"),
    signupComplete: address("/signup/complete"),
    login: address("/login"),
    password: address("/login/password"),
    passwordReset: address("/login/password/reset/:uid/:token"),
    /** The address above redirects here, so its token does not stay in the address bar. */
    passwordResetForm: address("/login/password/reset"),
    passwordResetComplete: address("/login/password/reset/complete"),
    passwordChange: address("/login/password/change"),
    confirmEmail: address("/confirm/email"),
    confirmStop: address("/confirm/stop"),
    confirmUndo: address("/confirm/undo"),
    confirmGuardian: address("/confirm/guardian"),
    confirmWithdraw: address("/confirm/withdraw"),
    confirmBirthDate: address("/confirm/birth-date"),
    confirmUnsubscribe: address("/confirm/unsubscribe"),
  },
  learning: {
    mypage: address("/mypage"),
    ownedCourses: address(
      "/mypage/course",
      ({ state, page }: { state?: OwnedState; page?: number } = {}) => ({
        state: state === "all" ? undefined : state,
        page,
      }),
    ),
    /** The spelling comes from the specification. */
    ownedCourse: address("/mypage/learnning/:id"),
    /** The page of one lesson, before playback. */
    lesson: address("/mypage/lecture/:id"),
    recent: address(
      "/mypage/recent",
      ({ show, q, page }: { show?: RecentKind; q?: string; page?: number } = {}) => ({
        show: show === recentKinds[0] ? undefined : show,
        q,
        page,
      }),
    ),
    bookmarks: address("/mypage/bookmark", paged),
    favorites: address(
      "/mypage/favorite",
      asQuery<{ course?: number | undefined; page?: number | undefined }>,
    ),
    child: address("/mypage/child/:account"),
    /** What linked guardians see of the learner, for the learner. */
    guardianView: address("/mypage/guardian-view"),
    /** The public page that checks certificates. */
    certificateCheck: address("/certificate"),
    /** The check of one certificate. */
    certificate: address("/certificate/:certificate"),
    /** Questions of mock exams that are due for review. */
    examReviews: address("/mypage/review"),
    studyPlan: address("/mypage/plan"),
    /** The player of a lesson. `at` is the start position in seconds. */
    lecture: address("/lecture/:id", asQuery<{ at?: number | undefined }>),
    question: address(
      "/lecture/:id/question/:questionId",
      ({ result, review }: AnswerMode = {}) => ({ result, review: review ? "true" : undefined }),
    ),
    result: address("/lecture/:id/result/:resultId"),
    results: address("/mypage/result", asQuery<ResultFilters>),
  },
  buying: {
    cart: address("/cart"),
    cartCoupons: address("/cart/coupon"),
    cartCoupon: address("/cart/coupon/:id"),
    cartConfirm: address("/cart/confirm", asQuery<ConfirmQuery>),
    payment: address("/payment", ofOrder),
    paymentComplete: address("/payment/complete", ofOrder),
    /** Return address of the payment provider's page. */
    paymentCredit: address("/payment/complete/credit", ofOrder),
    paymentBank: address("/payment/complete/bank", ofOrder),
    paymentSubscribe: address("/payment/complete/subscribe", ofOrder),
    paymentError: address("/payment/error", ofOrder),
    orders: address("/mypage/history", paged),
    order: address("/mypage/history/:order"),
    receipt: address("/mypage/history/:order/purchase"),
    coupons: address("/mypage/coupon"),
    coupon: address("/mypage/coupon/:id"),
    /** The refund quote of an order, and the refund request. */
    refund: address("/mypage/history/:order/refund"),
    returnInvoice: address("/mypage/history/:order/refund/:refund"),
    subscription: address("/mypage/history/subscribe/:subscription"),
  },
  exam: {
    /** The free check. With an identifier, one specific check. */
    freeCheck: address("/test", (check?: number) => ({ check })),
    /** The public page that checks the receipt of a paper. */
    receiptCheck: address("/konomoshi/receipt"),
    mockExams: address("/mypage/mockexam"),
    mockExam: address("/mypage/mockexam/:id"),
    basicInfo: address("/mypage/mockexam/:id/basicinfo"),
    desiredSchools: address("/mypage/mockexam/:id/schoolinfo"),
    desiredSchool: address("/mypage/mockexam/:id/schoolinfo/:desired_rank"),
    deviceCheck: address("/mypage/mockexam/:id/environmentinfo"),
    /** A paper of the exam, at one of its questions. */
    examSitting: address("/mypage/mockexam/:id/exam", asQuery<SittingPlace>),
    /** The unanswered questions, before a paper is handed in. */
    examCheck: address("/mypage/mockexam/:id/exam/checkpage", ofPaper),
    /** The handed-in answers. */
    examHandedIn: address("/mypage/mockexam/:id/exam/checkresult", ofPaper),
    examDone: address("/mypage/mockexam/:id/success"),
    examResult: address("/mypage/mockexam/:id/result"),
    examPaperResult: address("/mypage/mockexam/:id/result/:resultId"),
    /** The same results of a child, for the guardian. */
    childExamResult: address("/mypage/child/:account/mockexam/:id/result"),
    childPaperResult: address("/mypage/child/:account/mockexam/:id/result/:resultId"),
  },
  settings: {
    settings: address("/mypage/settings"),
    settingsBase: address("/mypage/settings/base"),
    settingsEmail: address("/mypage/settings/email"),
    settingsAddress: address("/mypage/settings/address"),
    settingsPassword: address("/mypage/settings/password"),
    /** Return address of the payment provider's page. */
    settingsCard: address("/mypage/settings/card"),
    settingsDevices: address("/mypage/settings/devices"),
    settingsGuardian: address("/mypage/settings/guardian"),
    settingsNotification: address("/mypage/settings/notification"),
    settingsCalendar: address("/mypage/settings/calendar"),
    settingsClose: address("/mypage/settings/close"),
    /** For a person who can reopen their account until the date `until`. */
    closed: address("/login/closed", (until?: string) => ({ until })),
  },
  teacherQuestion: {
    teacherQuestions: address("/mypage/question", paged),
    askTeacher: address("/mypage/question/new", asQuery<QuestionPlace>),
    teacherQuestion: address("/mypage/question/:thread"),
    /** The answered questions of a lesson that their learners share. */
    lessonQuestions: address("/mypage/question/lesson/:id", paged),
  },
  interview: {
    interviews: address("/mypage/interview"),
    /** The kinds of interviews that can be booked. */
    interviewKinds: address("/mypage/interview/register"),
    interviewSlots: address("/mypage/interview/register/:id", asQuery<InterviewWeekQuery>),
    interviewBooked: address("/mypage/interview/register/complete/:interview"),
  },
  class: {
    /** The week of a day, `2026-12-01`; without it, this week. */
    classWeek: address("/mypage/class", (day?: string) => ({ day })),
  },
  site: {
    maintenance: address("/maintenance"),
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
