/** A list with more pages than this is shortened. */
const SHOWN = 7;

const count = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

/**
 * The page numbers of a pager, from 1: the first, the last, and those around the current page.
 * `null` stands for two or more omitted pages. There are at most seven entries, so that the pager
 * keeps its width.
 */
export function numbersAround(page: number, pages: number): (number | null)[] {
  if (pages <= SHOWN) return count(1, pages);
  if (page <= 4) return [...count(1, 5), null, pages];
  if (page >= pages - 3) return [1, null, ...count(pages - 4, pages)];
  return [1, null, page - 1, page, page + 1, null, pages];
}
