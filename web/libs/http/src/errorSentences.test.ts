import { expect, test } from "vitest";
import type { ErrorCode } from "./codes";
import { ApiError } from "./errors";
import { errorSentence, sentenceOf, waitInWords } from "./errorSentences";

test("an unknown error code gets the general sentence", () => {
  const code = "SOMETHING_NEW" as ErrorCode;
  expect(errorSentence(code)).toBe(errorSentence("UNKNOWN"));
});

test("a rate limit error says how long to wait", () => {
  const error = new ApiError({ status: 429, code: "RATE_LIMITED", traceId: "", retryAfter: 90 });
  expect(sentenceOf(error)).toBe(
    "回数が多すぎるため、受け付けを止めています。2分ほど待ってからお試しください。",
  );
});

test("a wait is rounded up, never down", () => {
  expect([5, 59, 60, 61, 600].map(waitInWords)).toEqual(["5秒", "59秒", "1分", "2分", "10分"]);
});

test("an error that is not an answer of the server gets the general sentence", () => {
  expect(sentenceOf(new TypeError("x is undefined"))).toBe(errorSentence("UNKNOWN"));
});
