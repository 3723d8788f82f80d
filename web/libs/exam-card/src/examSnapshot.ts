import type { ExamCard, ListedCheck } from "./api/examCardTypes";
import type { ExamSource } from "./data/examSource";

/** The exams and the free checks that were exported for a build. */
export interface Snapshot {
  readonly exams: readonly ExamCard[];
  readonly checks: readonly ListedCheck[];
}

/** The source at build time: the exported snapshot. A build needs no API. */
export function snapshotSource({ exams, checks }: Snapshot): ExamSource {
  return { exams: async () => exams, checks: async () => checks };
}
