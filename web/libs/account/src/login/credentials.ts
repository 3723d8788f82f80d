import * as v from "valibot";

/** The pattern of the WHATWG for e-mail fields, with a dotted domain: `a..b@docomo.ne.jp` is an address. */
const ADDRESS =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)+$/i;

/** The longest address that mail can carry. */
const ADDRESS_MAX = 254;

const INVALID_ADDRESS = "メールアドレスの形式が正しくありません。";

/**
 * What the login form takes, with the sentence beside the field for what it does not take. A password is
 * judged by the server alone: rules for new ones do not bind those who have an old one.
 */
export const credentialsSchema = v.object({
  email: v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty("メールアドレスを入力してください。"),
    v.maxLength(ADDRESS_MAX, INVALID_ADDRESS),
    v.regex(ADDRESS, INVALID_ADDRESS),
  ),
  password: v.pipe(v.string(), v.nonEmpty("パスワードを入力してください。")),
});
