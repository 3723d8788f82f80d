import type { ErrorCode, FieldCode } from "./codes";
import { ApiError } from "./errors";
import { pageSentences } from "./pageSentences";

/** The site's sentence for every error code of the API document. */
const sentences: Readonly<Record<ErrorCode | FieldCode, string>> = {
  ...pageSentences,
  INVALID: "入力内容に誤りがあります。ご確認ください。",
  MALFORMED_JSON: "送信に失敗しました。ページを読み込み直してからお試しください。",
  INVALID_PAGE: "このページは表示できません。",
  BAD_CREDENTIALS: "メールアドレスまたはパスワードが正しくありません。",
  PASSWORD_CHANGE_REQUIRED: "安全のため、新しいパスワードに変える必要があります。",
  ACCOUNT_CLOSING: "このアカウントは退会の手続き中です。",
  CODE_WRONG: "確認コードがちがいます。メールの6桁の数字をもう一度ご確認ください。",
  CODE_TRIES_OVER:
    "まちがいが5回になったため、このコードは使えません。新しいコードを送ってください。",
  CODE_EXPIRED: "確認コードの期限が切れました。新しいコードを送ってください。",
  LINK_DEAD: "このリンクは使えません。期限が切れたか、すでに使われています。",
  NOT_VERIFIED: "先に、メールアドレスの確認が必要です。",
  EMAIL_TAKEN: "このメールアドレスは、ほかのアカウントで使われています。",
  CONSENT_GIVEN: "保護者の方の同意は、もう確認できています。",
  CONSENT_NOT_NEEDED: "このアカウントには、保護者の方の同意はいりません。",
  OWN_MAILBOX: "ご本人のメールアドレスは使えません。保護者の方のメールアドレスを入力してください。",
  GUARDIAN_UNDER_18: "保護者になれるのは、18歳以上の方です。生年月日をご確認ください。",
  GUARDIAN_MAILBOX:
    "このメールアドレスでは、保護者の方の手続きができません。お子さまなど、18歳未満の方のアカウントで使われているアドレスです。",
  CHALLENGE_DEAD: "時間がたちすぎました。もう一度お試しください。",
  PASSKEY_REFUSED: "このパスキーは確かめられませんでした。もう一度お試しください。",
  PASSKEY_KNOWN: "このパスキーは、もう登録されています。",
  PASSKEY_UNKNOWN: "このパスキーではログインできません。パスワードでログインしてください。",
  PASSKEYS_FULL: "パスキーは10個までです。使わなくなったものを削除してください。",
  GUARDIANS_FULL: "この生徒とつながれる保護者は4人までで、もういっぱいです。",
  RESEND_TOO_SOON: "送ったばかりです。少し待ってからお試しください。",
  REFRESH_DEAD: "ログインの有効期限が切れました。もう一度ログインしてください。",
  CSRF_FAILED: "確認のしるしが古くなっていました。もう一度お試しください。",
  ORIGIN_FORBIDDEN: "このページからは操作できません。コノマナのサイトからお試しください。",
  QUESTIONS_USED_UP:
    "今月の質問は使いきりました。来月になるか、「月額 質問し放題」に申し込むと、また質問できます。",
  ANSWER_PENDING: "先生の回答を待っています。回答が届いてから、もう一度お試しください。",
  QUESTION_CLOSED: "この質問には、これ以上続けて質問できません。新しい質問としてお送りください。",
  SLOT_TAKEN: "この日時は、ほかの方が先にえらびました。別の日時をおえらびください。",
  SLOT_CLOSED: "この日時の受け付けは終わりました。別の日時をおえらびください。",
  HOLD_EXPIRED: "日時をおさえる時間が過ぎました。もう一度おえらびください。",
  INTERVIEW_LIMIT: "同時に予約できる面談は2件までです。",
  INTERVIEW_OVERLAP: "同じ時間に、別の面談を予約しています。",
  INTERVIEW_FIXED: "開始まで24時間をきったため、変更もキャンセルもできません。",
  BOOKING_PAUSED: "面談の欠席が続いたため、予約をお休みしています。",
  SIGN_UP_CLOSED: "このイベントの受け付けは終わりました。",
  OFFER_ENDED: "席のご案内は終わりました。もう一度申し込むと、キャンセル待ちに並べます。",
  EVENT_STARTED: "イベントが始まったため、取り消せません。",
  EXPIRED_ITEM: "この講座は期限切れです。もう一度購入すると受講できます。",
  TOO_MANY_STREAMS: "ほかの2か所で再生中です。同時に見られるのは2か所までです。",
  STREAM_ENDED: "ほかの場所で再生が始まったため、ここでの再生を止めました。",
  MEDIA_LINK_EXPIRED: "動画のリンクの期限が切れました。もう一度再生してください。",
  NOT_FOUND: "見つかりませんでした。移動または削除された可能性があります。",
  METHOD_NOT_ALLOWED: "この操作はできません。",
  MARK_LIMIT: "登録できるのは500件までです。使わなくなったものを外してからお試しください。",
  ALREADY_ANSWERED: "この問題には、もう答えています。採点するのは最初の答えだけです。",
  NOT_ANSWERED_YET: "練習は、すべての問題に一度ずつ答えてから始められます。",
  PRACTICE_LIMIT: "この問題の練習は1日100回までです。朝4時を過ぎると、また始められます。",
  CERTIFICATE_NOT_EARNED: "修了証を受け取るには、まだ足りないものがあります。",
  NOTHING_HANDED_IN: "まだ提出した教科がありません。教科を受けて提出すると、結果が出ます。",
  NOT_DUE: "この問題は、いまの復習には入っていません。もう答えたか、復習する日がまだ先です。",
  NOT_FINAL: "結果はまだ確定していません。模試が終わったあとに、答えと解説を見られます。",
  NO_SEAT: "この模試に申し込んでいません。先にお申し込みください。",
  STEP_NOT_OPEN: "まだ終わっていない準備があります。模試のページから、続きを進めてください。",
  NOT_OPEN_YET: "まだ始まっていません。開始の時刻まで、お待ちください。",
  EXAM_ENDED: "この模試は終わりました。",
  APPLICATION_CLOSED: "いまは、この模試に申し込めません。申し込みの期間をご確認ください。",
  SEATS_GONE: "この模試は、定員に達しました。ほかの模試をお選びください。",
  SEAT_FOR_SALE: "この模試は有料です。カートからお申し込みください。",
  EXAM_STARTED: "受験を始めたあとは、申し込みの内容を変えられません。",
  SCHOOL_TWICE: "同じ学校は、1つの順位だけに入れられます。",
  RANK_GAP: "前の順位の志望校を、先に選んでください。",
  PAPER_RUNNING: "ほかの教科を受けている途中です。先に、その教科を提出してください。",
  OTHER_DEVICE: "ほかの端末で受けている途中です。この端末で続けるには、切りかえてください。",
  HANDED_IN: "この教科は、もう提出しました。",
  CART_FULL: "カートに入れられるのは20件までです。カートから出すと、入れられます。",
  NO_LEARNER:
    "受講する方がまだいません。先に、マイページでお子さまのアカウントとつながってください。",
  ORDER_OPEN:
    "お支払いの終わっていないご注文があります。先に、そのご注文のお支払いか取り消しをしてください。",
  CART_EMPTY: "カートに、購入できる講座がありません。カートの中身をご確認ください。",
  CONFIRMATION_CHANGED: "価格または在庫が変更されました。内容をご確認ください。",
  ORDER_CLOSED: "このご注文のお支払いは、もう受け付けていません。ご注文の状態をご確認ください。",
  NO_GUARDIAN: "つながっている保護者の方がいません。先に、保護者の方とつながってください。",
  UNKNOWN_COUPON: "このクーポンコードは見つかりませんでした。文字をもう一度ご確認ください。",
  COUPON_EXPIRED: "このクーポンは、有効期限が切れています。",
  COUPON_USED_UP: "このクーポンは、先着の枚数に達したため、受け付けを終わりました。",
  QUOTE_CHANGED: "返金額が変わりました。内容をご確認ください。",
  NOT_REFUNDABLE: "このご注文は、返金を申し込めません。ご注文の状態をご確認ください。",
  CARD_NEEDED:
    "月額サービスのお支払いに使っているため、このカードは削除できません。別のカードに変えるか、先に解約してください。",
  SUBSCRIPTION_ENDED: "この月額サービスは、もう終了しています。",
  SIGNATURE_INVALID: "送信元を確かめられませんでした。",
  CONFLICT: "ほかの操作と重なりました。読み込み直してからお試しください。",
  BODY_TOO_LARGE: "送る内容が大きすぎます。",
  BODY_TOO_SLOW: "送信に時間がかかりすぎました。接続を確かめてからお試しください。",
  LENGTH_REQUIRED: "送信に失敗しました。ページを読み込み直してからお試しください。",
  UNSUPPORTED_MEDIA_TYPE: "送信に失敗しました。ページを読み込み直してからお試しください。",
  RATE_LIMITED: "回数が多すぎるため、受け付けを止めています。しばらくしてからお試しください。",
  MAINTENANCE: "ただいまメンテナンス中です。終わるまでお待ちください。",
  REQUIRED: "入力してください。",
  INVALID_FORMAT: "形式が正しくありません。",
  TOO_LONG: "長すぎます。短くしてください。",
  UNKNOWN_FIELD: "送信に失敗しました。ページを読み込み直してからお試しください。",
  TOO_SHORT: "短すぎます。もう少しくわしく書いてください。",
  UNKNOWN_CHOICE: "選び直してください。",
  PICTURE_TOO_LARGE: "画像が大きすぎます。5MBまでの画像を選んでください。",
  PICTURE_UNREADABLE: "画像として読み取れませんでした。PNG・JPEG・WebPの画像を選んでください。",
  IDEMPOTENCY_KEY_REUSED: "内容が変わったため、送れませんでした。もう一度送信してください。",
  IDEMPOTENCY_KEY_IN_USE: "送信の途中です。少し待ってから、もう一度送信してください。",
  UNPROCESSABLE: "前の送信と内容が合いません。ページを読み込み直してからお試しください。",
  RANGE_NOT_SATISFIABLE: "動画を読み込めませんでした。もう一度再生してください。",
  OUT_OF_RANGE: "入力できる範囲を超えています。",
  GUESSABLE: "推測されやすいため使えません。別のものを入力してください。",
  HOLDS_LINK: "リンクやメールアドレスは使えません。",
  IMPOSSIBLE_DATE: "正しい日付を入力してください。",
  NOT_AGREED: "同意が必要です。",
  TIMEOUT: "時間内に応答がありませんでした。接続を確かめてからお試しください。",
  REPLACED: "新しい操作に置きかわりました。",
  UNKNOWN: "問題が起きました。しばらくしてからお試しください。",
};

/** The Japanese sentence for an error code; an unknown code gets the general sentence. */
export function errorSentence(code: ErrorCode | FieldCode): string {
  return sentences[code] ?? sentences.UNKNOWN;
}

/** Beginnings of sentences that state a wait from the server. */
const subjectsOfWaits: Partial<Record<ErrorCode, string>> = {
  OVERLOADED: "ただいま混み合っています。",
  RESEND_TOO_SOON: "メールを送ったばかりです。",
  RATE_LIMITED: "回数が多すぎるため、受け付けを止めています。",
};

/** The sentence for any thrown value, with the wait if the server gave one. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof ApiError)) return sentences.UNKNOWN;
  if (error.status === 429 && error.retryAfter) {
    const subject = subjectsOfWaits[error.code] ?? subjectsOfWaits.RATE_LIMITED;
    return `${subject}${waitInWords(error.retryAfter)}ほど待ってからお試しください。`;
  }
  return errorSentence(error.code);
}

/**
 * Formats a wait: `45` is 45秒, `61` is 2分. It rounds up, so that people don't retry too early.
 */
export function waitInWords(seconds: number): string {
  return seconds < 60 ? `${seconds}秒` : `${Math.ceil(seconds / 60)}分`;
}
