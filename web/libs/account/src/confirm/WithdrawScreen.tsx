import { entry, errorSentence } from "@konomana/api";
import { Loaded } from "@konomana/calls";
import { LoadingState, Text } from "@konomana/ui";
import { DoButton } from "../parts/DoButton";
import { useLinkCheck } from "../parts/useLinkCheck";
import { type AskProps, Confirm } from "./Confirm";

/** /confirm/withdraw: a guardian withdraws consent, by the link of the receipt. */
export function Component() {
  return (
    <Confirm
      title="同意の取り消し"
      Ask={Ask}
      done={{
        title: "同意を取り消しました",
        text: "お子さまにもメールでお知らせしました。保護者の方がもう一度同意するまで、講座を購入できません。この画面は閉じて大丈夫です。",
      }}
    />
  );
}

function Ask({ token, onDone }: AskProps) {
  const asked = useLinkCheck(["withdraw", token], (signal) => entry.checkWithdrawal(token, signal));
  return (
    <Loaded query={asked} loading={<LoadingState rows={1} height="6rem" />}>
      {(link) =>
        link.alive ? (
          <>
            <Text>
              {link.answer.guardian_name}さま。
              <strong>{link.answer.learner_name}さん</strong>
              のコノマナの利用への同意を取り消します。
            </Text>
            <Text>
              取り消すと、お子さまは新しい講座を購入できなくなります。アカウントと、すでに購入した講座は残ります。
            </Text>
            <DoButton
              label="同意を取り消す"
              busy="送っています…"
              failed="取り消せませんでした"
              call={() => entry.withdrawConsent(token)}
              onDone={onDone}
            />
          </>
        ) : (
          <Text>{errorSentence(link.code)}</Text>
        )
      }
    </Loaded>
  );
}
