import { type Child, childrenQuery, guardianKeys, unlinkChild } from "../api";
import { ConfirmButton } from "@konomana/query";
import { paths } from "@konomana/paths";
import { showBlue, Text, TitledPanel } from "@konomana/ui-base";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";

/** A button that ends the link with a child, with a confirmation. */
export function Unlink({ child: { id, name, link_id } }: { child: Child }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const ending = useMutation({
    mutationFn: () => unlinkChild(link_id),
    onSuccess: async () => {
      queries.removeQueries({ queryKey: guardianKeys.child(id) });
      await queries.invalidateQueries(childrenQuery);
      showBlue("つながりを解除しました。");
      await navigate(paths.mypage());
    },
  });
  return (
    <TitledPanel gap="sm" title="つながりの解除">
      <Text>
        解除すると、この画面と模試の結果をすぐに見られなくなり、お子さまにお知らせします。
      </Text>
      <div>
        <ConfirmButton
          label="解除する"
          fullLabel={`${name}さんとのつながりを解除する`}
          title={`${name}さんとのつながりを解除しますか？`}
          yes="解除する"
          doing={ending}
        >
          この画面と模試の結果をすぐに見られなくなります。解除したことは、お子さまにメールでお知らせします。もう一度つながるには、お子さまの新しいコードが必要です。
        </ConfirmButton>
      </div>
    </TitledPanel>
  );
}
