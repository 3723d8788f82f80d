import type { SignedReceipt } from "../api";
import type { GivenReceipt } from "./checkReceipt";

/** Size limit. The file of a paper with 50 questions is about 20 kB. */
const MAX_BYTES = 1_000_000;

/** Reads a receipt from the fragment of a link or of a QR code. `null` if there is none. */
export function receiptOfLink(link: string): GivenReceipt | null {
  const receipt = link.slice(link.lastIndexOf("#") + 1);
  return receipt === "" ? null : { receipt };
}

/** Reads the file of a receipt. `null` for any other file. */
export async function receiptOfFile(file: File): Promise<GivenReceipt | null> {
  if (file.size > MAX_BYTES) return null;
  const content = parse(await file.text());
  if (typeof content !== "object" || content === null) return null;
  const { receipt, transcript } = content as Partial<Record<keyof SignedReceipt, unknown>>;
  if (typeof receipt !== "string" || typeof transcript !== "string") return null;
  return { receipt, transcript };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
