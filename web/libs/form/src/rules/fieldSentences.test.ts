import { ApiError, type FieldCode } from "@konomana/http";
import * as v from "valibot";
import { expect, test } from "vitest";
import { rules, wordsOf } from "./rules";
import { fieldSentence, refusedFields } from "./fieldSentences";
import { validated } from "./validated";

test.each<[string, FieldCode, string]>([
  ["last_name", "REQUIRED", "姓を入力してください。"],
  ["last_name", "TOO_LONG", "姓は20文字以内で入力してください。"],
  ["first_name", "HOLDS_LINK", "名に、リンクやメールアドレスは使えません。"],
  ["first_name", "REQUIRED", "名を入力してください。"],
  ["first_name", "TOO_LONG", "名は20文字以内で入力してください。"],
  ["last_name_kana", "INVALID_FORMAT", "フリガナは全角カタカナで入力してください。"],
  ["first_name_kana", "REQUIRED", "フリガナは全角カタカナで入力してください。"],
  ["birth_date", "IMPOSSIBLE_DATE", "正しい生年月日を入力してください。"],
  ["postal_code", "INVALID_FORMAT", "郵便番号は7桁の数字で入力してください。"],
  ["phone", "INVALID_FORMAT", "電話番号を正しく入力してください（例：090-1234-5678）。"],
  ["email", "INVALID_FORMAT", "メールアドレスの形式が正しくありません。"],
  ["password", "TOO_SHORT", "パスワードは10文字以上で入力してください。"],
  ["password", "GUESSABLE", "推測されやすいパスワードです。別のものを入力してください。"],
  ["terms", "NOT_AGREED", "利用規約およびプライバシーポリシーへの同意が必要です。"],
  ["anything", "REQUIRED", "入力してください。"],
])("%s, %s: %s", (field, code, sentence) => {
  expect(fieldSentence(field, code)).toBe(sentence);
});

test("validation reports the first error of each field", () => {
  const judge = validated(v.object({ last_name: rules.name, email: rules.email }));
  expect(judge({ last_name: " ", email: "x" })).toEqual({
    last_name: "姓を入力してください。",
    email: "メールアドレスの形式が正しくありません。",
  });
  expect(judge({ last_name: "山田", email: "a@b.jp" })).toEqual({});
});

test("a form can have its own messages for a shared field name", () => {
  expect(fieldSentence("kind", "REQUIRED", "contact")).toBe("お問い合わせの種類を選んでください。");
  expect(fieldSentence("email", "REQUIRED", "contact")).toBe("メールアドレスを入力してください。");
  const judge = validated(v.object({ name: wordsOf(1, 50), text: wordsOf(10, 20) }), "contact");
  expect(judge({ name: " ", text: "😀".repeat(9) })).toEqual({
    name: "お名前を入力してください。",
    text: "お問い合わせの内容は10文字以上で入力してください。",
  });
  expect(judge({ name: "葵", text: "😀".repeat(20) })).toEqual({});
});

test("errors of the server have the same messages", () => {
  const errors = [{ field: "guardian.email", code: "INVALID_FORMAT" as const }];
  const refused = new ApiError({ status: 400, code: "INVALID", traceId: "", errors });
  expect(refusedFields(refused)).toEqual({
    guardian_email: "メールアドレスの形式が正しくありません。",
  });
  expect(refusedFields(new Error("no answer"))).toEqual({});
});
