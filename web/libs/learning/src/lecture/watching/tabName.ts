import { tabStorage } from "@konomana/browser";

const KEY = "konomana.device";

/** The name of this tab, which identifies its stream on the server. It survives a reload. */
export function tabName(): string {
  const known = tabStorage.read(KEY);
  if (known !== null) return known;
  const made = crypto.randomUUID();
  tabStorage.write(KEY, made);
  return made;
}
