/** Placeholder for the site's origin while parsing. No host has this name. */
const ORIGIN = "https://site.invalid";

/** Control characters below the space, and DEL. Parsers drop or trim them silently. */
function hasControlCharacter(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
}

/**
 * The path, query and fragment that a browser would open for `target`. `null` if it leaves the
 * site.
 */
function resolveInside(target: string): string | null {
  const url = URL.parse(target, ORIGIN);
  return url?.origin === ORIGIN ? url.pathname + url.search + url.hash : null;
}

/**
 * Whether `target` is an allowed redirect target: a path inside the site (the specification, §5).
 *
 * It is parsed twice because `/.//other.example` is a path the first time and another host the
 * second. The site and the server share the test table `redirect-cases.json` beside this file.
 */
export function isInternalPath(target: unknown): target is string {
  if (typeof target !== "string" || !/^\/(?![/\\])/.test(target)) return false;
  if (hasControlCharacter(target)) return false;
  const once = resolveInside(target);
  return once !== null && resolveInside(once) !== null;
}
