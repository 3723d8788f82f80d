/** Parser of receipts. The byte layout is in proto/exam/v1/receipt.proto. */

export interface Statement {
  /** Hexadecimal. */
  readonly keyId: string;
  readonly sealedBy: "candidate" | "deadline";
  /** Milliseconds since 1970, by the server's clock. */
  readonly handedInAt: number;
  /** Hexadecimal SHA-256 of the transcript. */
  readonly transcriptDigest: string;
  readonly exam: string;
  readonly subject: string;
  /** In order. */
  readonly questions: readonly StatedQuestion[];
}

export interface StatedQuestion {
  /** From 1. */
  readonly number: number;
  readonly isAnswered: boolean;
  /** `null` if it was never saved. */
  readonly saved: { readonly at: number; readonly digest: string } | null;
}

/** A receipt whose signature is not verified yet. */
export interface Receipt {
  readonly statement: Statement;
  readonly signed: Uint8Array;
  readonly signature: Uint8Array;
}

/** Why bytes are not a receipt: another format, a later version, or truncated. */
export type Unreadable = "foreign" | "newer" | "cut";

const MARK = "KNR";
const VERSION = 1;
const SIGNATURE_SIZE = 64;

/** Parses a receipt. Does not check its signature. */
export function readReceipt(bytes: Uint8Array): Receipt | Unreadable {
  const start = String.fromCharCode(...bytes.subarray(0, MARK.length));
  if (start === "" || !MARK.startsWith(start)) return "foreign";
  const reader = new Reader(bytes.subarray(MARK.length));
  try {
    if (reader.number(1) !== VERSION) return "newer";
    const statement = readStatement(reader);
    const end = MARK.length + reader.position;
    if (bytes.length < end + SIGNATURE_SIZE) return "cut";
    return { statement, signed: bytes.subarray(0, end), signature: bytes.subarray(end) };
  } catch (error) {
    if (error instanceof CutError) return "cut";
    throw error;
  }
}

function readStatement(reader: Reader): Statement {
  const keyId = toHex(reader.take(8));
  const sealedBy = reader.number(1) === 1 ? "candidate" : "deadline";
  const startedAt = reader.number(8);
  const handedInAt = reader.number(8);
  const transcriptDigest = toHex(reader.take(32));
  const exam = reader.text();
  const subject = reader.text();
  const questions: StatedQuestion[] = [];
  for (let left = reader.number(1); left > 0; left -= 1) {
    const state = reader.number(1);
    const saved =
      state === 0 ? null : { at: startedAt + reader.number(4), digest: toHex(reader.take(32)) };
    questions.push({ number: questions.length + 1, isAnswered: state === 2, saved });
  }
  return { keyId, sealedBy, handedInAt, transcriptDigest, exam, subject, questions };
}

/** The input ends before the read is complete. */
class CutError extends Error {}

/** Reads bytes in order. */
class Reader {
  position = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  take(count: number): Uint8Array {
    const taken = this.#bytes.subarray(this.position, this.position + count);
    if (taken.length < count) throw new CutError();
    this.position += count;
    return taken;
  }

  /** An unsigned integer, big-endian. */
  number(size: number): number {
    return this.take(size).reduce((number, byte) => number * 256 + byte, 0);
  }

  /** A text with its length before it. */
  text(): string {
    return new TextDecoder().decode(this.take(this.number(2)));
  }
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Decodes base64url. `null` for other texts. Of a truncated text, the whole bytes are decoded. */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[\w-]+$/.test(text)) return null;
  const whole = text.length % 4 === 1 ? text.slice(0, -1) : text;
  const decoded = atob(whole.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(decoded, (character) => character.charCodeAt(0));
}
