import type { Snapshot as Catalogue } from "@konomana/catalog/snapshot";

/** What the public pages are made from: a part for each library that has some, as the API told it. */
export interface Snapshot {
  readonly catalogue: Catalogue;
}
