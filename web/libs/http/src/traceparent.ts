const hex = (bytes: number) =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");

/** A new W3C trace context, sampled: the click is the root of the trace that the back end goes on with. */
export function newTraceparent(): string {
  return `00-${hex(16)}-${hex(8)}-01`;
}

/** The 32 hexadecimal digits that name the trace. */
export function traceIdOf(traceparent: string): string {
  return traceparent.split("-")[1] ?? "";
}
