/** The course filter in an address; null if absent or invalid. */
export function courseIn(params: URLSearchParams): number | null {
  const text = params.get("course") ?? "";
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}
