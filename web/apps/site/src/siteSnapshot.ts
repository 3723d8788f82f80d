import type { Snapshot as Catalogue } from "@konomana/catalog/snapshot";
import type { Snapshot as Exams } from "@konomana/exam-card/snapshot";
import type { Snapshot as Desk } from "@konomana/support/snapshot";

/** What the public pages are made from: a part for each library that has some, as the API told it. */
export interface Snapshot {
  readonly catalogue: Catalogue;
  readonly desk: Desk;
  readonly exam: Exams;
}
