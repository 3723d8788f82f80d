import { unreadNoticesQuery } from "@konomana/member-notice/unread";
import { paths } from "@konomana/paths";
import { Group, Panel, Text, TextLink } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";

/** A link to the notices for the person, with the number of unread ones. */
export function NoticesLine() {
  const { data, isError } = useQuery(unreadNoticesQuery);
  return (
    <Panel pad="0.875rem 1.25rem">
      <Group justify="space-between" gap="0.25rem 1rem">
        <TextLink strong to={paths.memberNotices()}>
          あなたへのお知らせ
        </TextLink>
        <Text as="span">{isError ? "未読の数を読み込めませんでした" : stateOf(data)}</Text>
      </Group>
    </Panel>
  );
}

/** The texts are equally long, so the layout keeps still. */
function stateOf(unread: number | undefined): string {
  if (unread === undefined) return "未読を数えています";
  return unread === 0 ? "未読はありません" : `未読が${unread}件あります`;
}
