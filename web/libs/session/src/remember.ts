import { tabStorage } from "@konomana/browser";
import { isInternalPath, paths } from "@konomana/paths";

/** One tab remembers for itself: two tabs on their way through the login must not swap places. */
const KEY = "konomana.return-to";

/** Keeps where the person was, or wanted to go, until the login is done. */
export function rememberPath(path: string): void {
  if (isInternalPath(path) && !leadsToLogin(path)) tabStorage.write(KEY, path);
}

/** Where to go after the login: the remembered path, once, or /mypage (the specification, §2 and §4). */
export function restorePath(): string {
  const path = tabStorage.read(KEY);
  tabStorage.remove(KEY);
  return isInternalPath(path) && !leadsToLogin(path) ? path : paths.mypage();
}

function leadsToLogin(path: string): boolean {
  const { pathname } = new URL(path, "https://site.invalid");
  return pathname === paths.login() || pathname.startsWith(`${paths.login()}/`);
}
