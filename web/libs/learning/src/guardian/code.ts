/** A code as people type it, in the form in which it is shown: `ａｂｃｄ2345` is `ABCD-2345`. */
export function readCode(typed: string): string {
  const letters = typed
    .normalize("NFKC")
    .toUpperCase()
    .replace(/[^\dA-Z]/g, "");
  return letters.replace(/^(.{4})(?=.)/, "$1-");
}

/** What is wrong with a typed code before anybody is asked; null when nothing is. */
export function complaintAbout(typed: string): string | null {
  if (typed.trim() === "") return "コードを入力してください。";
  return readCode(typed).length === 9 ? null : "コードは8文字です。もう一度お確かめください。";
}
