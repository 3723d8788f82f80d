import { type Query, toQuery } from "./toQuery";

interface Page<Item> {
  results: readonly Item[];
  /** Link to the next page; null on the last one. */
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

/** The part of a query key that names a page: the same for a page from a link and by its number. */
export function pageKey(query: Query, link?: string | null): string {
  const search = new URLSearchParams(
    link ? new URL(link, "https://api.invalid").search : toQuery(query),
  );
  search.sort();
  return search.toString();
}
