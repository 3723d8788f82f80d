/** Forms of pages that are served as files. */

const FORM = /<form\b[^>]*>/g;
const SAFE = /\s(?:role="search"|method="dialog")/;

/**
 * The form tags of a page that a browser without scripts would send with every field in the address. Two kinds are
 * safe: searches, whose address is meant to hold the query, and `method="dialog"`, which is never sent.
 */
export function leakingForms(html: string): string[] {
  return (html.match(FORM) ?? []).filter((tag) => !SAFE.test(tag));
}
