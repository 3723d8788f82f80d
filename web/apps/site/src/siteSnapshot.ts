import type { Snapshot as Catalogue } from "@konomana/catalog/snapshot";
import type { Snapshot as Exams } from "@konomana/exam-card/snapshot";
import type { Snapshot as Desk } from "@konomana/support/snapshot";

/** The content of the public pages at build time: one part for each library with content. */
export interface Snapshot {
  readonly catalogue: Catalogue;
  readonly desk: Desk;
  readonly exam: Exams;
}
