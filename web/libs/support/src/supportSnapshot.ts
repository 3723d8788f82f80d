import type { EntryExam, Faq, Notice, SuccessYear } from "./api";
import {
  categoriesOf,
  PAGE_SIZE,
  pagesOf,
  toAnswerRow,
  toNoticeRow,
  withNeighbours,
} from "./data/lists";
import { type SupportSource, notThere } from "./data/supportSource";

/** The support content that was exported for a build. Each list is in the order of the API. */
export interface Snapshot {
  readonly notices: readonly Notice[];
  readonly faqs: readonly Faq[];
  readonly success: readonly SuccessYear[];
  readonly entryExams: readonly EntryExam[];
}

/** The source at build time: the exported snapshot. A build needs no API. */
export function snapshotSource({ notices, faqs, success, entryExams }: Snapshot): SupportSource {
  return {
    notices: async (filters) => ({
      filters,
      pages: pagesOf(notices.length),
      notices: notices.slice(0, PAGE_SIZE).map(toNoticeRow),
    }),
    notice: async (id) => withNeighbours(findById(notices, id), notices),
    answers: async (filters) => ({
      filters,
      count: faqs.length,
      pages: pagesOf(faqs.length),
      categories: categoriesOf(faqs),
      answers: faqs.slice(0, PAGE_SIZE).map(toAnswerRow),
    }),
    answer: async (id) => findById(faqs, id),
    async success(year) {
      const told = success.find((candidate) => candidate.year === year);
      if (told === undefined) throw notThere();
      return told;
    },
    entryExams: async () => entryExams,
  };
}

/** The row with an id. */
function findById<Row extends { readonly id: number }>(rows: readonly Row[], wanted: number): Row {
  const found = rows.find(({ id }) => id === wanted);
  if (found === undefined) throw notThere();
  return found;
}
