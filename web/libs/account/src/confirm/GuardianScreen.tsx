import { entry, errorSentence } from "@konomana/api";
import { Loaded } from "@konomana/calls";
import { LoadingState, Text } from "@konomana/ui";
import { DoButton } from "../parts/DoButton";
import { useLinkCheck } from "../parts/useLinkCheck";
import { type AskProps, Confirm } from "./Confirm";

/** /confirm/guardian: a guardian agrees, by the link of the mail to them. */
export function Component() {
  return (
    <Confirm
      title="保護者の方の同意"
      Ask={Ask}
      done={{
        title: "同意を受け付けました",
        text: "ありがとうございます。お子さまが講座を購入できるようになりました。この画面は閉じて大丈夫です。",
      }}
    />
  );
}

function Ask({ token, onDone }: AskProps) {
  const asked = useLinkCheck(["consent", token], (signal) => entry.checkConsent(token, signal));
  return (
    <Loaded query={asked} loading={<LoadingState rows={1} height="6rem" />}>
      {(link) =>
        link.alive ? (
          <>
            <Text>
              {link.answer.guardian_name}さま。
              <strong>{link.answer.learner_name}さん</strong>
              が、保護者の方の同意を求めています。18歳未満の方は、同意があるまで講座を購入できません。
            </Text>
            <DoButton
              label="同意する"
              busy="送っています…"
              failed="送れませんでした"
              call={() => entry.confirmConsent(token)}
              onDone={onDone}
            />
            <Text size="sm" c="dimmed">
              心当たりがないときは、何もせずにこの画面を閉じてください。
            </Text>
          </>
        ) : (
          <Text>{errorSentence("LINK_DEAD")}</Text>
        )
      }
    </Loaded>
  );
}
