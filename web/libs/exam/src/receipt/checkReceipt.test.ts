import { describe, expect, test } from "vitest";
import type { ReceiptKey } from "../api";
import { checkReceipt, type Verdict } from "./checkReceipt";
// Made with Python's `cryptography`. A test of the exam service writes the same bytes.
import example from "./receipt-example.json";
import { fromBase64Url, toHex } from "./statement";

const { receipt } = example;
const toBase64Url = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
const transcript = toBase64Url(new TextEncoder().encode(example.transcript));
const bytes = Buffer.from(receipt, "base64url");
const publicKey = Buffer.from(example.public_key, "hex");
const digestOf = async (data: BufferSource) =>
  toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", data)));
const keyOf = async (key: Uint8Array<ArrayBuffer>): Promise<ReceiptKey> => ({
  kty: "OKP",
  crv: "Ed25519",
  kid: (await digestOf(key)).slice(0, 16),
  x: toBase64Url(key),
});
const keys = [await keyOf(new Uint8Array(32)), await keyOf(publicKey)];
const kindOf = async (text: string, known = keys) =>
  (await checkReceipt({ receipt: text }, known)).kind;

/** The possible results of a change of the byte at a position. */
function refusalsAt(position: number): Verdict["kind"][] {
  if (position < 3) return ["foreign"];
  if (position === 3) return ["newer"];
  return position < 12 ? ["unknown_key"] : ["changed", "cut"];
}

describe("a receipt", () => {
  test("of another implementation is genuine and contains the handed-in answers", async () => {
    const digests = [...example.transcript.matchAll(/"digest":"(\w+)"/g)].map(
      ([, digest]) => digest,
    );
    const started = Date.parse("2026-11-20T03:00:00Z");
    const verdict: Verdict = await checkReceipt({ receipt, transcript }, keys);
    expect(verdict).toEqual({
      kind: "genuine",
      statement: {
        keyId: keys[1]?.kid,
        sealedBy: "deadline",
        handedInAt: Date.parse("2026-11-20T03:50:00Z"),
        transcriptDigest: await digestOf(new TextEncoder().encode(example.transcript)),
        exam: "第1回 コノ模試",
        subject: "数学",
        questions: [
          { number: 1, isAnswered: true, saved: { at: started + 60_250, digest: digests[0] } },
          { number: 2, isAnswered: false, saved: null },
          { number: 3, isAnswered: true, saved: { at: started + 3_002_000, digest: digests[1] } },
          { number: 4, isAnswered: false, saved: { at: started + 120_000, digest: digests[2] } },
        ],
      },
    });
    expect(await kindOf(receipt)).toBe("genuine");
  });

  test("has a signature that the platform's Ed25519 accepts too", async () => {
    const key = await crypto.subtle.importKey("raw", publicKey, "Ed25519", false, ["verify"]);
    const [signed, signature] = [bytes.subarray(0, -64), bytes.subarray(-64)];
    expect(await crypto.subtle.verify("Ed25519", key, signature, signed)).toBe(true);
  });

  test("with any changed byte is not genuine", async () => {
    for (const position of bytes.keys()) {
      const changed = Uint8Array.from(bytes);
      changed[position] = (changed[position] ?? 0) ^ 1;
      expect(refusalsAt(position), `byte ${position}`).toContain(
        await kindOf(toBase64Url(changed)),
      );
    }
    expect(await kindOf(`${receipt}AAAA`)).toBe("changed");
  });

  test("that is truncated is reported as cut, at any length", async () => {
    for (let length = 2; length < receipt.length; length += 1)
      expect(await kindOf(receipt.slice(0, length)), `${length} characters`).toBe("cut");
  });

  test("is checked only with the key that it names", async () => {
    expect(await kindOf(receipt, keys.slice(0, 1))).toBe("unknown_key");
    const forged = { ...keys[0], kid: keys[1]?.kid } as ReceiptKey;
    expect(await kindOf(receipt, [forged])).toBe("changed");
  });

  test("matches only its own transcript", async () => {
    const other = toBase64Url(new TextEncoder().encode(example.transcript.replace("[2]", "[3]")));
    for (const wrong of [other, "", "?"])
      expect((await checkReceipt({ receipt, transcript: wrong }, keys)).kind).toBe("other_answers");
  });

  test.each(["", "受験", "https://example.com/", "eyJhIjoxfQ", "?"])("is not %j", async (text) => {
    expect(await kindOf(text)).toBe("foreign");
  });
});

test("base64url decodes like the platform's decoder", () => {
  for (const length of [1, 2, 3, 64]) {
    const data = bytes.subarray(0, length);
    expect(fromBase64Url(toBase64Url(data))).toEqual(Uint8Array.from(data));
  }
});
