/**
 * Whether passkeys work on a site with this host name. Browsers support none for an IP address
 * (https://www.w3.org/TR/webauthn-3/#rp-id).
 */
export function canHavePasskeys(hostname: string): boolean {
  return !/^(\d+\.){3}\d+$|^\[/.test(hostname);
}
