/** The root of all query keys with personal data. They are removed when the session ends. */
export const PERSONAL = ["personal"] as const;
