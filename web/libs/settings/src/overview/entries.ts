import { canBuy, cardName, type SavedCard } from "@konomana/cart";
import type { Address } from "../api";
import type { User } from "@konomana/session";
import { paths } from "@konomana/paths";
import { hasScope } from "@konomana/session";

/** An entry of the overview. */
export interface Entry {
  to: string;
  title: string;
  /** The current value, or what the screen is for. */
  text: string;
  /** A short note on what is missing. */
  missing?: string;
  /** Whether the missing part prevents an action. */
  urgent?: boolean;
}

/** The loaded settings. `undefined` while loading. */
interface LoadedSettings {
  address: Address | undefined;
  /** `null` if none is saved. */
  card: SavedCard | null | undefined;
}

/** The entries for a user, with current values and missing ones. */
export function entriesOf(user: User, { address, card }: LoadedSettings): Entry[] {
  return [
    base(user),
    { to: paths.settingsEmail(), title: "メールアドレス", text: user.email },
    addressEntry(address),
    ...(canBuy(user) ? [cardEntry(card)] : []),
    passkeys(user),
    {
      to: paths.settingsDevices(),
      title: "ログイン中の端末",
      text: "どの端末でログインしているかを確かめて、ログアウトさせることができます。",
    },
    {
      to: paths.settingsNotification(),
      title: "お知らせの受け取り",
      text: "お知らせをメールや端末の通知で受け取るかどうかと、受け取らない時間を選べます。",
    },
    ...(canBuy(user) ? [calendar] : []),
    ...(hasScope(user, "learner") ? [guardian] : []),
    {
      to: paths.settingsClose(),
      title: "データと退会",
      text: "自分のデータのダウンロードと、退会の手続きができます。",
    },
  ];
}

const calendar: Entry = {
  to: paths.settingsCalendar(),
  title: "カレンダーに登録する",
  text: "面談やイベント、授業、模試の日時を、お使いのカレンダーに表示できます。",
};

const guardian: Entry = {
  to: paths.settingsGuardian(),
  title: "保護者とのつながり",
  text: "保護者の方に、学習の進みぐあいと模試の結果を見てもらえます。",
};

/** Passkeys that an account recovery suspended need a decision of their owner. */
function passkeys({ suspended_passkeys: suspended }: User): Entry {
  const entry = {
    to: paths.settingsPassword(),
    title: "パスワードとパスキー",
    text: "パスワードの変更と、パスワードなしのログインの準備ができます。",
  };
  return suspended === 0
    ? entry
    : { ...entry, missing: "パスキーを確かめてください", urgent: true };
}

function base(user: User): Entry {
  const name = `${user.last_name} ${user.first_name}さん`;
  const school = hasScope(user, "learner") ? [user.school_year, user.school_name] : [];
  return {
    to: paths.settingsBase(),
    title: "基本情報",
    text: [name, ...school].filter(Boolean).join("・"),
    ...consent(user),
  };
}

/** The missing guardian consent of a minor, without which nothing can be bought. */
function consent({ guardian_consent: state }: User): Partial<Entry> {
  if (state === "missing") return { missing: "保護者の同意が必要です", urgent: true };
  return state === "waiting" ? { missing: "保護者の返事を待っています" } : {};
}

/** The saved card, with a warning if it can't be charged. */
function cardEntry(card: LoadedSettings["card"]): Entry {
  const entry = { to: paths.settingsCard(), title: "お支払いのカード" };
  if (!card) return { ...entry, text: "次から番号を入力せずに支払えるように、登録できます。" };
  return {
    ...entry,
    text: cardName(card),
    ...(card.is_expired ? { missing: "有効期限切れ", urgent: card.is_needed } : {}),
  };
}

/** Nothing is marked as missing before the address is loaded. */
function addressEntry(address: Address | undefined): Entry {
  const entry = { to: paths.settingsAddress(), title: "住所と電話番号" };
  if (!address) return { ...entry, text: "住所と電話番号を登録できます。" };
  const place = [address.prefecture, address.city, address.town].join("");
  return place === ""
    ? { ...entry, text: "住所はまだ登録されていません。", missing: "未登録" }
    : { ...entry, text: `〒${address.postal_code.replace(/^(\d{3})/, "$1-")} ${place}` };
}
