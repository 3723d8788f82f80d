import { childrenQuery, unlinkChild, type ChildProgress } from "../api";
import { ConfirmButton } from "@konomana/query";
import { paths } from "@konomana/paths";
import { showBlue, Text, TitledPanel } from "@konomana/ui-base";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";

/** A button that ends the link with a child, with a confirmation. */
export function Unlink({ child: { name, link_id } }: { child: ChildProgress }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const ending = useMutation({
    mutationFn: () => unlinkChild(link_id),
    onSuccess: async () => {
      await queries.invalidateQueries(childrenQuery);
      showBlue("つながりを解除しました。");
      await navigate(paths.mypage());
    },
  });
  return (
    <TitledPanel gap="sm" title="つながりの解除">
      <Text>解除すると、進みぐあいと模試の結果を見られなくなります。</Text>
      <div>
        <ConfirmButton
          label="解除する"
          fullLabel={`${name}さんとのつながりを解除する`}
          title={`${name}さんとのつながりを解除しますか？`}
          yes="解除する"
          doing={ending}
        >
          進みぐあいと模試の結果を見られなくなります。もう一度つながるには、お子さまの新しいコードが必要です。
        </ConfirmButton>
      </div>
    </TitledPanel>
  );
}
