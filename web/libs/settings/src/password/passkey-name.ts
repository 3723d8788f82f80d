/** The most characters that the name of a passkey has. */
export const PASSKEY_NAME_MAX = 30;

/** Names the forms whose field `name` is that of a passkey, for its sentences. */
export const PASSKEY_FORM = "passkey";
