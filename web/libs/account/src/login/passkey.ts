import { canHavePasskeys } from "@konomana/browser";
import type { Tokens } from "@konomana/session";
import { entry, type PasskeyAnswer } from "../api";

/** Whether this browser can sign with passkeys what the server sends, at the address that is open. */
export function canUsePasskeys(): boolean {
  return (
    canHavePasskeys(location.hostname) &&
    typeof PublicKeyCredential === "function" &&
    typeof PublicKeyCredential.parseRequestOptionsFromJSON === "function"
  );
}

/** Signs in with a passkey of this device, which asks the person in its own way; null where they said no. */
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
    // The person said no, or took too long, or there is no passkey: all look the same from here.
    if (error instanceof DOMException) return null;
    throw error;
  }
}
