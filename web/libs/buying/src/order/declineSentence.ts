const CHECK_CARD = "別のカードでお試しいただくか、カード会社にお問い合わせください。";

const declined = `カード会社が、このカードでのお支払いを受け付けませんでした。${CHECK_CARD}`;
const authentication =
  "カード会社の本人認証（3Dセキュア）が完了しませんでした。もう一度お試しいただくか、別のカードをお使いください。";
const number = "カード番号が正しくありません。番号をお確かめください。";
const cvc =
  "セキュリティコードが正しくありません。カードの裏面（または表面）の数字をお確かめください。";
const expiry = "カードの有効期限が正しくありません。月と年をお確かめください。";
const funds =
  "カードの残高、またはご利用可能額が足りません。別のカードでお試しいただくか、カード会社にお問い合わせください。";
const again =
  "カード会社と一時的に連絡がとれませんでした。少し待ってから、もう一度お試しください。";
const unsupported = "このカードは、このお支払いに使えません。別のカードでお試しください。";

/**
 * Messages by the provider's decline code. Codes that would help a thief get the general message.
 */
const sentences = new Map<string, string>(
  Object.entries({
    card_declined: declined,
    generic_decline: declined,
    do_not_honor: declined,
    insufficient_funds: funds,
    card_velocity_exceeded: `カードのご利用限度額、または回数をこえています。${CHECK_CARD}`,
    withdrawal_count_limit_exceeded: `カードのご利用限度額、または回数をこえています。${CHECK_CARD}`,
    expired_card: "カードの有効期限が切れています。別のカードでお試しください。",
    incorrect_cvc: cvc,
    invalid_cvc: cvc,
    incorrect_number: number,
    invalid_number: number,
    invalid_expiry_month: expiry,
    invalid_expiry_year: expiry,
    authentication_required: authentication,
    authentication_failure: authentication,
    payment_intent_authentication_failure: authentication,
    card_not_supported: unsupported,
    currency_not_supported: unsupported,
    transaction_not_allowed: unsupported,
    processing_error: again,
    issuer_not_available: again,
    try_again_later: again,
    reenter_transaction: again,
    card_missing: "登録済みのカードがありません。カードを登録してください。",
  }),
);

/** The message for a declined card. An unknown code gets the general message. */
export function declineSentence(code: string): string {
  return sentences.get(code) ?? `このカードでのお支払いは、受け付けられませんでした。${CHECK_CARD}`;
}
