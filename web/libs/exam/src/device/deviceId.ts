import { sharedStorage } from "@konomana/browser";

/** Shared by all tabs of this browser. It stays after a sign-out. */
const KEY = "konomana.exam-device";

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** The id of this browser for exams. If storage is refused, it lasts as long as the page. */
export function deviceId(): string {
  const stored = sharedStorage.read(KEY);
  if (stored !== null && UUID.test(stored)) return stored;
  const id = crypto.randomUUID();
  sharedStorage.write(KEY, id);
  return id;
}
