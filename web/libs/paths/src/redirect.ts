/** Stands for the site's origin while parsing; no host has this name. */
const ORIGIN = "https://site.invalid";

/** Everything under the space, and DEL: what parsers silently drop or trim. */
function hasControlCharacter(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
}

/** The path, query and fragment that a browser would open for `target`; null where it would leave. */
function stay(target: string): string | null {
  const url = URL.parse(target, ORIGIN);
  return url?.origin === ORIGIN ? url.pathname + url.search + url.hash : null;
}

/**
 * Whether a redirect may go to `target`: only to a path inside the site (the specification, §5).
 *
 * It is parsed twice because `/.//other.example` is a path the first time and another host the
 * second. `redirect-cases.json` beside this file is the table that the site and the server share.
 */
export function isInternalPath(target: unknown): target is string {
  if (typeof target !== "string" || !/^\/(?![/\\])/.test(target)) return false;
  if (hasControlCharacter(target)) return false;
  const once = stay(target);
  return once !== null && stay(once) !== null;
}
