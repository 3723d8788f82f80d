/** The most characters that the name of a passkey has. */
export const PASSKEY_NAME_MAX = 30;
