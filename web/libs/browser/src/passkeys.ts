/**
 * Whether passkeys can work for who opened the site by this name: browsers make and use none at a bare address
 * (https://www.w3.org/TR/webauthn-3/#rp-id).
 */
export function canHavePasskeys(hostname: string): boolean {
  return !/^(\d+\.){3}\d+$|^\[/.test(hostname);
}
