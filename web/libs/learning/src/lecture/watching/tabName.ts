const KEY = "konomana.device";

/** The name of this tab, by which the server tells its stream from others; a reload keeps it. */
export function device(): string {
  try {
    const known = sessionStorage.getItem(KEY);
    if (known !== null) return known;
  } catch {
    // Nothing is kept there: the tab has a name as long as its page.
  }
  const made = crypto.randomUUID();
  try {
    sessionStorage.setItem(KEY, made);
  } catch {
    // See above.
  }
  return made;
}
