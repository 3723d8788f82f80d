/** The course that an address narrows the list to; null where it names none. */
export function courseIn(params: URLSearchParams): number | null {
  const text = params.get("course") ?? "";
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}
