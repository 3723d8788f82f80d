import { ApiError, errorSentence, type FieldCode } from "@konomana/http";
import { limits } from "./limits";

/** The messages of one field by error code; `other` is for every other code. */
type Sentences = Readonly<Partial<Record<FieldCode | "other", string>>>;

const number = new Intl.NumberFormat("ja");

const tooLong = (word: string, max: number) =>
  `${word}は${number.format(max)}文字以内で入力してください。`;
const tooShort = (word: string, min: number) => `${word}は${min}文字以上で入力してください。`;

const name = (word: string, max: number = limits.name): Sentences => ({
  REQUIRED: `${word}を入力してください。`,
  TOO_LONG: tooLong(word, max),
  INVALID_FORMAT: `${word}に使えない文字が入っています。`,
  HOLDS_LINK: `${word}に、リンクやメールアドレスは使えません。`,
});

const kana: Sentences = {
  other: "フリガナは全角カタカナで入力してください。",
  TOO_LONG: tooLong("フリガナ", limits.name),
};

const email: Sentences = {
  other: "メールアドレスの形式が正しくありません。",
  REQUIRED: "メールアドレスを入力してください。",
  OWN_MAILBOX: errorSentence("OWN_MAILBOX"),
};

const password: Sentences = {
  REQUIRED: "パスワードを入力してください。",
  TOO_SHORT: tooShort("パスワード", limits.password.min),
  TOO_LONG: tooLong("パスワード", limits.password.max),
  GUESSABLE: "推測されやすいパスワードです。別のものを入力してください。",
};

const guardianName = name("お名前", limits.guardianName);
const guardianRelation = { other: "続柄を選んでください。" };

/** Messages by field name on the wire; `form.field` applies to one form only. */
const table = {
  last_name: name("姓"),
  first_name: name("名"),
  last_name_kana: kana,
  first_name_kana: kana,
  last_kana: kana,
  first_kana: kana,
  school_name: name("学校の名前", limits.schoolName),
  birth_date: {
    other: "正しい生年月日を入力してください。",
    GUARDIAN_UNDER_18: errorSentence("GUARDIAN_UNDER_18"),
  },
  school_year: { other: "学年を選んでください。" },
  postal_code: { other: "郵便番号は7桁の数字で入力してください。" },
  prefecture: { other: "都道府県を選んでください。" },
  city: { REQUIRED: "市区町村を入力してください。" },
  town: { REQUIRED: "町名と番地を入力してください。" },
  phone: { other: "電話番号を正しく入力してください（例：090-1234-5678）。" },
  email,
  password,
  new_password: password,
  kind: { other: "生徒か保護者かを選んでください。" },
  terms: { other: "利用規約およびプライバシーポリシーへの同意が必要です。" },
  code: { other: "6桁の数字を入力してください。" },
  name: guardianName,
  relation: guardianRelation,
  guardian_name: guardianName,
  guardian_relation: guardianRelation,
  guardian_email: email,
  chosen: { other: "答えを選んでください。" },
  "number.answer": {
    other: "数か分数で入力してください（例：-1.5、3/4）。",
    REQUIRED: "答えを入力してください。",
  },
  "text.answer": {
    REQUIRED: "答えを入力してください。",
    TOO_LONG: tooLong("答え", limits.answer),
    INVALID_FORMAT: "答えに使えない文字が入っています。",
  },
  "consent.guardian_name": name("お名前"),
  "passkey.name": name("パスキーの名前", limits.passkeyName),
  addressee: {
    REQUIRED: "宛名を入力してください。",
    TOO_LONG: tooLong("宛名", limits.addressee),
    INVALID_FORMAT: "宛名に使えない文字が入っています。",
  },
  "coupon.code": {
    REQUIRED: "クーポンコードを入力してください。",
    TOO_LONG: tooLong("クーポンコード", limits.couponCode),
    INVALID_FORMAT: errorSentence("UNKNOWN_COUPON"),
  },
  "school.department_id": { other: "学科・コースを選んでください。" },
  "school.school_marks": {
    other: "内申点は、9から45までの数字で入力してください。",
    REQUIRED: "内申点を入力してください。",
  },
  pictures: { other: "写真を付けられませんでした。枚数をたしかめて、もう一度選んでください。" },
  is_adult: { other: "18歳以上の保護者の方だけが同意できます。" },
  "contact.kind": { other: "お問い合わせの種類を選んでください。" },
  "contact.name": name("お名前", limits.contactName),
  "contact.text": {
    REQUIRED: "お問い合わせの内容を入力してください。",
    TOO_SHORT: tooShort("お問い合わせの内容", limits.contactText.min),
    TOO_LONG: tooLong("お問い合わせの内容", limits.contactText.max),
    INVALID_FORMAT: "お問い合わせの内容に使えない文字が入っています。",
  },
  "teacherQuestion.text": {
    REQUIRED: "質問を入力してください。",
    TOO_SHORT: tooShort("質問", limits.questionText.min),
    TOO_LONG: tooLong("質問", limits.questionText.max),
    INVALID_FORMAT: "質問に使えない文字が入っています。",
  },
} satisfies Readonly<Record<string, Sentences>>;

/** The forms with messages of their own. */
export type FormName = keyof typeof table extends infer Key
  ? Key extends `${infer Form}.${string}`
    ? Form
    : never
  : never;

const sentencesByField = new Map<string, Sentences>(Object.entries(table));

/**
 * The message for an error code of the browser or the server. `form` names a form that uses a
 * shared field name with another meaning.
 */
export function fieldSentence(field: string, code: FieldCode, form?: FormName): string {
  const sentences = sentencesByField.get(`${form}.${field}`) ?? sentencesByField.get(field);
  return sentences?.[code] ?? sentences?.other ?? errorSentence(code);
}

/** The server's field errors as messages; empty if the request failed for another reason. */
export function refusedFields(error: unknown, form?: FormName): Record<string, string> {
  const errors = error instanceof ApiError ? error.errors : [];
  return Object.fromEntries(
    errors.map(({ field, code }) => {
      const key = field.replaceAll(".", "_");
      return [key, fieldSentence(key, code, form)];
    }),
  );
}
