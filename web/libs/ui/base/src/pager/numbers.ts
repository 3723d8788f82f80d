/** Beyond these the first and the last page, and the pages beside the open one, are shown alone. */
const SHOWN = 7;

const count = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

/**
 * The numbers that a pager shows, from 1: the first, the last, and those around the open page. `null` stands
 * for two or more that are left out. There are never more than seven, so that the pager keeps its place.
 */
export function numbersAround(page: number, pages: number): (number | null)[] {
  if (pages <= SHOWN) return count(1, pages);
  if (page <= 4) return [...count(1, 5), null, pages];
  if (page >= pages - 3) return [1, null, ...count(pages - 4, pages)];
  return [1, null, page - 1, page, page + 1, null, pages];
}
