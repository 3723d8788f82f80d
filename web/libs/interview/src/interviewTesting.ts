/** Interviews for tests. */
import type { Interview, Interviews } from "./interviewCalls";

/** An interview that can be cancelled, and not joined yet; `given` overrides its fields. */
export function interviewOf(given: Partial<Interview> = {}): Interview {
  const id = "01936f2a-4c00-7a31-8b52-1f6d0c9e4aff";
  return {
    id,
    kind: 1,
    kind_name: "学習相談",
    teacher: "高瀬航",
    starts_at: "2026-12-01T09:00:00Z",
    ends_at: "2026-12-01T09:30:00Z",
    is_cancelled: false,
    can_cancel: true,
    join_url: null,
    is_missed: false,
    feedback: "",
    calendar_id: id,
    calendar_sequence: 1,
    ...given,
  };
}

/** The answer for a learner without an interview. */
export const noInterviews: Interviews = {
  upcoming: [],
  past: [],
  upcoming_limit: 2,
  paused_until: null,
  child_name: null,
};
