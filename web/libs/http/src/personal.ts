/** The root of the keys of everything that belongs to one person: it goes away with the session. */
export const PERSONAL = ["personal"] as const;
