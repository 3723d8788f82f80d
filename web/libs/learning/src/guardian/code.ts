/** Converts a typed code to its display form: `ａｂｃｄ2345` is `ABCD-2345`. */
export function readCode(typed: string): string {
  const letters = typed
    .normalize("NFKC")
    .toUpperCase()
    .replace(/[^\dA-Z]/g, "");
  return letters.replace(/^(.{4})(?=.)/, "$1-");
}

/** The error of a typed code, checked before it is sent; null if it is valid. */
export function complaintAbout(typed: string): string | null {
  if (typed.trim() === "") return "コードを入力してください。";
  return readCode(typed).length === 9 ? null : "コードは8文字です。もう一度お確かめください。";
}
