/** Whether this browser can make passkeys from what the server sends. */
export function canMakePasskeys(): boolean {
  return (
    typeof PublicKeyCredential === "function" &&
    typeof PublicKeyCredential.parseCreationOptionsFromJSON === "function"
  );
}

/** What came of asking the device: a credential for the server, or why there is none. */
export type Made = { credential: RegistrationResponseJSON } | "cancelled" | "known";

/** Has the device make a passkey; it asks the person in its own way. */
export async function makePasskey(options: PublicKeyCredentialCreationOptionsJSON): Promise<Made> {
  try {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
    const made = await navigator.credentials.create({ publicKey });
    return made instanceof PublicKeyCredential
      ? { credential: made.toJSON() as RegistrationResponseJSON }
      : "cancelled";
  } catch (error) {
    if (error instanceof DOMException && error.name === "InvalidStateError") return "known";
    // The person said no, or took too long, or the device can't: all look the same from here.
    if (error instanceof DOMException) return "cancelled";
    throw error;
  }
}
