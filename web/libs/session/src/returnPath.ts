import { tabStorage } from "@konomana/browser";
import { isInternalPath, paths } from "@konomana/paths";

/** Stored per tab, so two tabs in the login do not exchange their paths. */
const KEY = "konomana.return-to";

/** Stores the person's current or requested path until the login is done. */
export function rememberPath(path: string): void {
  if (isInternalPath(path) && !leadsToLogin(path)) tabStorage.write(KEY, path);
}

/**
 * The path to open after the login: the remembered path, used once, or /mypage (the specification,
 * §2 and §4).
 */
export function restorePath(): string {
  const path = tabStorage.read(KEY);
  tabStorage.remove(KEY);
  return isInternalPath(path) && !leadsToLogin(path) ? path : paths.mypage();
}

function leadsToLogin(path: string): boolean {
  const { pathname } = new URL(path, "https://site.invalid");
  return pathname === paths.login() || pathname.startsWith(`${paths.login()}/`);
}
