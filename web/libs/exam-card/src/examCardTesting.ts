/** Exams for tests. */
import type { ExamCard, ListedApplication } from "./api/examCardTypes";

const DAY_MS = 86_400_000;

/** The time `days` days from now. */
export const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

/** A free exam that is open for application; `given` overrides its fields. */
export function examOf(given: Partial<ExamCard> = {}): ExamCard {
  return {
    id: 1,
    name: "コノ模試 第1回",
    school_year: "中3",
    subjects: ["英語", "数学", "国語", "理科", "社会"],
    application_opens_at: inDays(-10),
    application_closes_at: inDays(10),
    starts_at: inDays(14),
    ends_at: inDays(15),
    results_at: inDays(25),
    product_id: null,
    price: null,
    capacity: 300,
    seats_left: 120,
    ...given,
  };
}

/** An application for that exam, with no step filled in. */
export function applicationOf(
  given: Partial<Omit<ListedApplication, "exam">> & { exam?: Partial<ExamCard> } = {},
): ListedApplication {
  return {
    state: "mine",
    stage: "basic_info",
    has_seat: true,
    ...given,
    exam: examOf(given.exam),
  };
}
