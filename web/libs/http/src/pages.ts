import { type Query, toQuery } from "./toQuery";

interface Page<Item> {
  results: readonly Item[];
  /** Where the next page is; null on the last one. */
  next: string | null;
}

/** Every item of a paged list: loads the first page, then follows `next` to the end. */
export async function everyPage<Item>(
  load: (link: string | null) => Promise<Page<Item>>,
): Promise<Item[]> {
  const items: Item[] = [];
  let link: string | null = null;
  do {
    const page: Page<Item> = await load(link);
    items.push(...page.results);
    link = page.next;
  } while (link !== null);
  return items;
}

/**
 * What names a page of a list in the key of its query: the same for a page that a link leads to and for one that
 * is asked for by its number.
 */
export function pageKey(query: Query, link?: string | null): string {
  const search = new URLSearchParams(
    link ? new URL(link, "https://api.invalid").search : toQuery(query),
  );
  search.sort();
  return search.toString();
}
