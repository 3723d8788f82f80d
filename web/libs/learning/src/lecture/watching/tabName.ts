import { tabStorage } from "@konomana/browser";

const KEY = "konomana.device";

/** The name of this tab, by which the server tells its stream from others; a reload keeps it. */
export function tabName(): string {
  const known = tabStorage.read(KEY);
  if (known !== null) return known;
  const made = crypto.randomUUID();
  tabStorage.write(KEY, made);
  return made;
}
