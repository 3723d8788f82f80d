/** Classes and live lessons for tests. */
import type { ClassWeek, LearnerClass, LiveLesson } from "./classCalls";

/** A lesson that can't be joined yet; `given` overrides its fields. */
export function liveLessonOf(given: Partial<LiveLesson> = {}): LiveLesson {
  return {
    id: 11,
    class_id: 1,
    class_name: "中2理科クラス",
    number: 3,
    title: "化学反応式",
    starts_at: "2026-12-03T10:00:00Z",
    ends_at: "2026-12-03T10:50:00Z",
    moved_from: null,
    is_cancelled: false,
    reason: "",
    revision: 0,
    join_url: null,
    attendance: null,
    recording_id: null,
    homework: null,
    ...given,
  };
}

/** The class of that lesson, which comes next. */
export function learnerClassOf(given: Partial<LearnerClass> = {}): LearnerClass {
  return {
    id: 1,
    name: "中2理科クラス",
    course: { id: 104, name: "中2理科" },
    item_id: 7,
    teacher: { id: 4, name: "水城あかね" },
    next_lesson: liveLessonOf(),
    ...given,
  };
}

/** A week of a learner, by default without a class. */
export function classWeekOf(given: Partial<ClassWeek> = {}): ClassWeek {
  return {
    classes: [],
    monday: "2026-11-30",
    lessons: [],
    has_previous: false,
    has_next: false,
    homework: [],
    ...given,
  };
}
