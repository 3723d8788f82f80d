import { expect, test } from "vitest";
import { ApiError } from "./errors";
import { errorSentence, sentenceOf, waitInWords } from "./sentences";

const serverCodes = [
  ["INVALID", "MALFORMED_JSON", "INVALID_PAGE", "BAD_CREDENTIALS", "UNAUTHENTICATED"],
  ["REFRESH_DEAD", "CSRF_FAILED", "ORIGIN_FORBIDDEN", "FORBIDDEN", "EXPIRED_ITEM", "NOT_FOUND"],
  ["METHOD_NOT_ALLOWED", "MARK_LIMIT", "CONFLICT", "BODY_TOO_LARGE", "BODY_TOO_SLOW"],
  ["LENGTH_REQUIRED", "UNSUPPORTED_MEDIA_TYPE"],
  ["HEADERS_TOO_LARGE", "RATE_LIMITED", "OVERLOADED", "INTERNAL", "UPSTREAM_UNAVAILABLE"],
  ["OUT_OF_TIME", "MAINTENANCE"],
  ["PASSWORD_CHANGE_REQUIRED", "ACCOUNT_CLOSING", "NOT_VERIFIED", "LINK_DEAD"],
  ["CODE_WRONG", "CODE_TRIES_OVER", "CODE_EXPIRED", "RESEND_TOO_SOON"],
  ["EMAIL_TAKEN", "CONSENT_GIVEN", "CONSENT_NOT_NEEDED", "GUARDIANS_FULL"],
  ["OWN_MAILBOX", "GUARDIAN_UNDER_18", "GUARDIAN_MAILBOX"],
  ["CHALLENGE_DEAD", "PASSKEY_REFUSED", "PASSKEY_UNKNOWN", "PASSKEYS_FULL"],
  ["TOO_SHORT", "UNKNOWN_CHOICE", "PICTURE_TOO_LARGE", "PICTURE_UNREADABLE"],
  ["IDEMPOTENCY_KEY_REUSED", "IDEMPOTENCY_KEY_IN_USE"],
  ["ALREADY_ANSWERED", "NOT_ANSWERED_YET", "NOT_DUE"],
  ["REQUIRED", "INVALID_FORMAT", "TOO_LONG", "UNKNOWN_FIELD", "OUT_OF_RANGE"],
].flat();

test.each(serverCodes)("%s has a sentence of its own", (code) => {
  expect(errorSentence(code)).toMatch(/。$/);
  expect(errorSentence(code)).not.toBe(errorSentence("UNKNOWN"));
});

test("a reason that the table does not know gets the general sentence", () => {
  expect(errorSentence("SOMETHING_NEW")).toBe(errorSentence("UNKNOWN"));
});

test("a refusal for the rate says how long to wait", () => {
  const error = new ApiError({ status: 429, code: "RATE_LIMITED", traceId: "", retryAfter: 90 });
  expect(sentenceOf(error)).toBe(
    "回数が多すぎるため、受け付けを止めています。2分ほど待ってからお試しください。",
  );
});

test("a wait is never told shorter than it is", () => {
  expect([5, 59, 60, 61, 600].map(waitInWords)).toEqual(["5秒", "59秒", "1分", "2分", "10分"]);
});

test("what is no answer of the server gets the general sentence", () => {
  expect(sentenceOf(new TypeError("x is undefined"))).toBe(errorSentence("UNKNOWN"));
});
