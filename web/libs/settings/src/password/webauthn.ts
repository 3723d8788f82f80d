/** Whether this browser can create passkeys from the server's options. */
export function canMakePasskeys(): boolean {
  return (
    typeof PublicKeyCredential === "function" &&
    typeof PublicKeyCredential.parseCreationOptionsFromJSON === "function"
  );
}

/** The result of creating a passkey: the credential, or why there is none. */
export type NewPasskey = { credential: RegistrationResponseJSON } | "cancelled" | "known";

/** Lets the device create a passkey. The browser asks the person to confirm. */
export async function makePasskey(
  options: PublicKeyCredentialCreationOptionsJSON,
): Promise<NewPasskey> {
  try {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
    const made = await navigator.credentials.create({ publicKey });
    return made instanceof PublicKeyCredential
      ? { credential: made.toJSON() as RegistrationResponseJSON }
      : "cancelled";
  } catch (error) {
    if (error instanceof DOMException && error.name === "InvalidStateError") return "known";
    // The browser reports a cancel, a timeout and an unsupported device with the same error.
    if (error instanceof DOMException) return "cancelled";
    throw error;
  }
}
