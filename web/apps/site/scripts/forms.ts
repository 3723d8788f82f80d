/** Forms of pages that are served as files. */

const FORM = /<form\b[^>]*>/g;
const SAFE = /\s(?:role="search"|method="dialog")/;

/**
 * Returns the form tags that a browser without scripts would submit with every field in the
 * address. Two kinds are safe: searches, whose address contains the query on purpose, and
 * `method="dialog"`, which is never submitted.
 */
export function leakingForms(html: string): string[] {
  return (html.match(FORM) ?? []).filter((tag) => !SAFE.test(tag));
}
