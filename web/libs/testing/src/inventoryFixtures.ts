import type { Answer } from "@konomana/http";
import { learner } from "./learner";
import { listOf } from "./listOf";

type InventoryItem = Answer<"GET", "/api/lms/inventory/{id}/">;
type Lesson = Answer<"GET", "/api/lms/lesson/{id}/">;
type InventoryList = Answer<"GET", "/api/lms/inventory/">;

interface Given extends Partial<Omit<InventoryItem, "course">> {
  course?: Partial<InventoryItem["course"]>;
}

/** The time in a number of days from now. */
export const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

/** The lessons of the course in `itemOf`. */
export const lessons = ["主語を見つける", "動詞を見つける", "疑問文", "否定文"].map(
  (name, index) => ({
    id: 11 + index,
    name,
    summary: `${name}ことができるようになります。`,
    duration: 451,
  }),
);

/** An item with a course of four lessons, 11 to 14. */
export function itemOf(given: Given = {}): InventoryItem {
  return {
    id: 1,
    created: "2026-11-01T00:00:00Z",
    modified: "2026-11-01T00:00:00Z",
    expire_at: inDays(200),
    is_expired: false,
    is_auto_renewal: false,
    is_new: false,
    product_id: 1101,
    user: learner.id,
    check_count: 0,
    completed_at: null,
    ...given,
    course: {
      id: 101,
      name: "中1英語 be動詞",
      category: "英語",
      school_year: "中1",
      level: "基礎",
      teacher: { id: 1, name: "佐倉みのり" },
      summary: "be動詞を使い分けます。",
      description: "",
      duration_sum: 1804,
      lesson_count: 4,
      orientation: null,
      sample_video: null,
      thumbnail: null,
      textbook_bundle: null,
      whiteboard_bundle: null,
      created: "2025-03-10T00:00:00Z",
      modified: "2025-03-10T00:00:00Z",
      course_chapter: [{ id: 1, name: "be動詞の文", units: [{ id: 1, name: "文の形", lessons }] }],
      ...given.course,
    },
  };
}

export function inventoryOf(...results: InventoryItem[]): InventoryList {
  return { ...listOf(...results), current_page: 1, max_page: 1, complete_count: 0 };
}

/** Lesson 12 of the course in `itemOf`, as its learner sees it. */
export function lessonOf(given: Partial<Lesson> = {}): Lesson {
  return {
    id: 12,
    name: "動詞を見つける",
    summary: "動詞を見つけることができるようになります。",
    duration: 451,
    course: { id: 101, name: "中1英語 be動詞" },
    chapter: { id: 1, name: "be動詞の文" },
    unit: { id: 1, name: "文の形" },
    inventory_id: 1,
    product_id: 1101,
    number: 2,
    lesson_count: 4,
    previous: { id: 11, name: "主語を見つける", duration: 451 },
    next: { id: 13, name: "疑問文", duration: 451 },
    is_expired: false,
    expire_at: null,
    is_favorite: false,
    is_check: false,
    watch: {
      position: 312,
      furthest: 312,
      covered: 300,
      times: 1,
      last_seen: "2026-11-20T09:00:00Z",
    },
    marks: [{ at: 95, name: "動詞の見分け方" }],
    handouts: [{ kind: "textbook", page_count: 4, pages: [] }],
    has_video: true,
    question_count: 0,
    ...given,
  };
}
