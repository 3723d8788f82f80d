import { type BirthDateChange, entry, errorSentence } from "@konomana/api";
import { Loaded } from "@konomana/calls";
import { dayInWords } from "@konomana/form";
import { LoadingState, Text } from "@konomana/ui";
import { useState } from "react";
import { DoButton } from "../parts/DoButton";
import { useLinkCheck } from "../parts/useLinkCheck";
import { type AskProps, Confirm } from "./Confirm";
import styles from "./confirm.module.css";

/** /confirm/birth-date: a guardian decides whether a learner's birth date changes, by the link of the mail to them. */
export function Component() {
  return (
    <Confirm
      title="生年月日の変更の確認"
      Ask={Ask}
      done={{
        title: "変更を承認しました",
        text: "生年月日を変更しました。お子さまにもメールでお知らせしました。この画面は閉じて大丈夫です。",
      }}
    />
  );
}

function Ask({ token, onDone }: AskProps) {
  const asked = useLinkCheck(["birth-date", token], (signal) =>
    entry.checkBirthDate(token, signal),
  );
  const [isDeclined, setDeclined] = useState(false);
  const decide = (approve: boolean) => () => entry.decideBirthDate({ token, approve });
  if (isDeclined) {
    return (
      <Text role="status">
        変更を断りました。生年月日は、いまのままです。お子さまにもメールでお知らせしました。この画面は閉じて大丈夫です。
      </Text>
    );
  }
  return (
    <Loaded query={asked} loading={<LoadingState rows={1} height="6rem" />}>
      {(link) =>
        link.alive ? (
          <>
            <Text>
              <strong>{link.answer.learner_name}さん</strong>
              が、登録した生年月日を変えようとしています。18歳以上になると、購入に保護者の方の同意がいらなくなります。
            </Text>
            <Dates change={link.answer} />
            <DoButton
              label="正しいので承認する"
              busy="送っています…"
              failed="承認できませんでした"
              call={decide(true)}
              onDone={onDone}
            />
            <DoButton
              label="断る"
              busy="送っています…"
              failed="断れませんでした"
              variant="default"
              call={decide(false)}
              onDone={() => setDeclined(true)}
            />
          </>
        ) : (
          <Text>{errorSentence(link.code)}</Text>
        )
      }
    </Loaded>
  );
}

function Dates({ change }: { change: BirthDateChange }) {
  return (
    <dl className={styles.dates}>
      <dt>いまの生年月日</dt>
      <dd>{change.birth_date === null ? "登録なし" : dayInWords(change.birth_date)}</dd>
      <dt>新しい生年月日</dt>
      <dd>{dayInWords(change.requested_birth_date)}</dd>
    </dl>
  );
}
