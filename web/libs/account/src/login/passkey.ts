import { canHavePasskeys } from "@konomana/browser";
import type { Tokens } from "@konomana/session";
import { entry, type PasskeyAnswer } from "../api";

/** Whether this browser supports passkeys and the current address is one that passkeys work at. */
export function canUsePasskeys(): boolean {
  return (
    canHavePasskeys(location.hostname) &&
    typeof PublicKeyCredential === "function" &&
    typeof PublicKeyCredential.parseRequestOptionsFromJSON === "function"
  );
}

/**
 * Signs in with a passkey of this device. The browser asks the person to confirm. Returns `null` if
 * they cancel.
 */
export async function tokensByPasskey(): Promise<Tokens | null> {
  const { challenge, options } = await entry.passkeyOptions();
  const signed = await sign(options.publicKey);
  return signed && entry.passkeyLogin({ challenge, credential: signed });
}

async function sign(
  options: PublicKeyCredentialRequestOptionsJSON,
): Promise<PasskeyAnswer["credential"] | null> {
  try {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
    const signed = await navigator.credentials.get({ publicKey });
    return signed instanceof PublicKeyCredential ? { ...signed.toJSON() } : null;
  } catch (error) {
    // The browser reports a cancel, a timeout and a missing passkey with the same error.
    if (error instanceof DOMException) return null;
    throw error;
  }
}
