/** Letters that are easily read as digits. An id has only the letters a to f. */
const LOOKALIKES: Readonly<Record<string, string>> = { o: "0", i: "1", l: "1" };

/**
 * The id of a certificate as it was typed or pasted: in any width and case, with any separators, or
 * as the address of its page. Returns `null` for anything else.
 */
export function parseCertificateId(typed: string): string | null {
  const last = typed.normalize("NFKC").trim().toLowerCase().split("/").findLast(Boolean) ?? "";
  const digits = last
    .replaceAll(/[^\p{L}\p{N}]|ー/gu, "")
    .replaceAll(/[oil]/g, (letter) => LOOKALIKES[letter] ?? letter);
  const groups = /^([\da-f]{8})([\da-f]{4})([\da-f]{4})([\da-f]{4})([\da-f]{12})$/.exec(digits);
  return groups?.slice(1).join("-") ?? null;
}
