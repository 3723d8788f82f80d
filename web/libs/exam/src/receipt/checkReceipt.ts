import { verifyAsync } from "@noble/ed25519";
import type { ReceiptKey } from "../api";
import { fromBase64Url, readReceipt, type Statement, toHex, type Unreadable } from "./statement";

/** A receipt as the person has it: the texts of a file, or the text of a link. */
export interface GivenReceipt {
  /** The statement and its signature, in base64url. */
  readonly receipt: string;
  /** The transcript in base64url. A link has none. */
  readonly transcript?: string;
}

/** The result of a check. It contains the statement only if the receipt is genuine. */
export type Verdict =
  | { readonly kind: "genuine"; readonly statement: Statement }
  | { readonly kind: Unreadable | "unknown_key" | "changed" | "other_answers" };

/** Checks a receipt with the published keys. Works offline. */
export async function checkReceipt(
  { receipt, transcript }: GivenReceipt,
  keys: readonly ReceiptKey[],
): Promise<Verdict> {
  const bytes = fromBase64Url(receipt);
  if (bytes === null) return { kind: "foreign" };
  const read = readReceipt(bytes);
  if (typeof read === "string") return { kind: read };
  const { statement, signed, signature } = read;
  const key = keys.find(({ kid }) => kid === statement.keyId);
  const publicKey = key === undefined ? null : fromBase64Url(key.x);
  if (publicKey === null) return { kind: "unknown_key" };
  // A signature of the wrong length throws.
  const verified = verifyAsync(signature, signed, publicKey, { zip215: false });
  if (!(await verified.catch(() => false))) return { kind: "changed" };
  if (transcript !== undefined && (await digestOf(transcript)) !== statement.transcriptDigest)
    return { kind: "other_answers" };
  return { kind: "genuine", statement };
}

async function digestOf(text: string): Promise<string | null> {
  const bytes = fromBase64Url(text);
  return bytes && toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}
