const hex = (bytes: number) =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");

/** A new sampled W3C trace context. It is the root of the trace that the back end continues. */
export function newTraceparent(): string {
  return `00-${hex(16)}-${hex(8)}-01`;
}

/** The trace id: 32 hexadecimal digits. */
export function traceIdOf(traceparent: string): string {
  return traceparent.split("-")[1] ?? "";
}
