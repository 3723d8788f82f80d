import { type Child, childrenQuery, withdrawConsent } from "../api";
import { ConfirmButton } from "@konomana/query";
import { showBlue, Text, Title, Panel } from "@konomana/ui-base";
import { useMutation, useQueryClient } from "@tanstack/react-query";

interface ChildConsentProps {
  /** The child's account id. */
  id: string;
  name: string;
  state: Exclude<Child["guardian_consent"], "not_needed">;
}

const words = {
  given: "お子さまの利用と購入に、保護者の方が同意しています。",
  waiting: "保護者の方の同意を、メールでお願いしているところです。まだ購入できません。",
  missing:
    "保護者の方の同意がないため、お子さまは購入できません。同意するときは、お子さまの「設定」の「基本情報」から、保護者の方にメールを送ってもらってください。",
} as const;

/** Whether a child's guardians consent to purchases, and a button that withdraws it. */
export function ChildConsent({ id, name, state }: ChildConsentProps) {
  const queries = useQueryClient();
  const withdrawing = useMutation({
    mutationFn: () => withdrawConsent(id),
    onSuccess: async () => {
      await queries.invalidateQueries(childrenQuery);
      showBlue("同意を取り消しました。");
    },
  });
  return (
    <Panel as="section" gap="sm" aria-labelledby="consent">
      <Title order={2} size="h4" id="consent">
        保護者の同意
      </Title>
      <Text role="status">{words[state]}</Text>
      {state === "given" && (
        <div>
          <ConfirmButton
            label="同意を取り消す"
            title={`${name}さんの利用への同意を取り消しますか？`}
            yes="取り消す"
            doing={withdrawing}
          >
            {name}
            さんは、新しい講座を購入できなくなります。持っている講座は残ります。取り消したあとは、つながったままでも同意になりません。もう一度同意するには、メールでの手続きが必要です。
          </ConfirmButton>
        </div>
      )}
    </Panel>
  );
}
