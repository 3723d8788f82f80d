import { createDraft } from "@konomana/session";

const kept = createDraft<{ key: string; about: string }>("contact.key", ["key", "about"]);

/**
 * The key by which the server knows a message that it has had already: the same for the same content, also after a
 * reload, so that a lost answer leads to one mail; another as soon as anything is changed.
 */
export function keyFor(content: object): string {
  const about = JSON.stringify(content);
  const before = kept.read();
  if (before.key !== undefined && before.about === about) return before.key;
  const key = crypto.randomUUID();
  kept.write({ key, about });
  return key;
}

/** The next message is another one, whatever it says. */
export function forgetKey(): void {
  kept.clear();
}
