import { sharedStorage } from "@konomana/browser";

/** For all tabs of this browser; it stays after a sign-out. */
const KEY = "konomana.exam-device";

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Names this browser for exams. Where it can't store anything, the name lasts as long as the page. */
export function deviceId(): string {
  const stored = sharedStorage.read(KEY);
  if (stored !== null && UUID.test(stored)) return stored;
  const id = crypto.randomUUID();
  sharedStorage.write(KEY, id);
  return id;
}
