import { ApiError, errorSentence, type FieldCode } from "@konomana/http";

/** The sentences of one field by machine reason; `other` is for every reason without one of its own. */
type Sentences = Readonly<Partial<Record<FieldCode | "other", string>>>;

const name = (word: string): Sentences => ({
  REQUIRED: `${word}を入力してください。`,
  TOO_LONG: `${word}は20文字以内で入力してください。`,
  INVALID_FORMAT: `${word}に使えない文字が入っています。`,
  HOLDS_LINK: `${word}に、リンクやメールアドレスは使えません。`,
});

const kana: Sentences = {
  other: "フリガナは全角カタカナで入力してください。",
  TOO_LONG: "フリガナは20文字以内で入力してください。",
};

const email: Sentences = {
  other: "メールアドレスの形式が正しくありません。",
  REQUIRED: "メールアドレスを入力してください。",
  OWN_MAILBOX: errorSentence("OWN_MAILBOX"),
};

const password: Sentences = {
  REQUIRED: "パスワードを入力してください。",
  TOO_SHORT: "パスワードは10文字以上で入力してください。",
  TOO_LONG: "パスワードは128文字以内で入力してください。",
  GUESSABLE: "推測されやすいパスワードです。別のものを入力してください。",
};

const guardianName = { ...name("お名前"), TOO_LONG: "お名前は40文字以内で入力してください。" };
const guardianRelation = { other: "続柄を選んでください。" };

/** The one table of what is said beside a field, by the field's name on the wire. */
const table: Readonly<Record<string, Sentences>> = {
  last_name: name("姓"),
  first_name: name("名"),
  last_name_kana: kana,
  first_name_kana: kana,
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
    TOO_LONG: "答えは200文字以内で入力してください。",
    INVALID_FORMAT: "答えに使えない文字が入っています。",
  },
  "consent.guardian_name": name("お名前"),
  "passkey.name": {
    ...name("パスキーの名前"),
    TOO_LONG: "パスキーの名前は30文字以内で入力してください。",
  },
  is_adult: { other: "18歳以上の保護者の方だけが同意できます。" },
  "contact.kind": { other: "お問い合わせの種類を選んでください。" },
  "contact.name": { ...name("お名前"), TOO_LONG: "お名前は50文字以内で入力してください。" },
  "contact.text": {
    REQUIRED: "お問い合わせの内容を入力してください。",
    TOO_SHORT: "お問い合わせの内容は10文字以上で入力してください。",
    TOO_LONG: "お問い合わせの内容は2,000文字以内で入力してください。",
    INVALID_FORMAT: "お問い合わせの内容に使えない文字が入っています。",
  },
};

/**
 * What a person reads beside a field, for a machine reason of the browser or of the server. `form` names a form whose
 * fields are called like others and mean something else.
 */
export function fieldSentence(field: string, code: FieldCode, form = ""): string {
  const sentences = table[`${form}.${field}`] ?? table[field];
  return sentences?.[code] ?? sentences?.other ?? errorSentence(code);
}

/** What the server says of fields, each in words; nothing where it failed for another reason. */
export function refusedFields(error: unknown, form?: string): Record<string, string> {
  const errors = error instanceof ApiError ? error.errors : [];
  return Object.fromEntries(
    errors.map(({ field, code }) => {
      const key = field.replaceAll(".", "_");
      return [key, fieldSentence(key, code, form)];
    }),
  );
}
