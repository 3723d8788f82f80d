import { Badge, formatDate, Group, Note, Tag } from "@konomana/ui-base";
import type { MemberNoticeSummary } from "./memberNoticeCalls";

/** Whether a notice is unread, what it is about, and its date. */
export function NoticeTags({ notice }: { notice: MemberNoticeSummary }) {
  const { category, is_personal, is_pinned, is_unread, published_at } = notice;
  return (
    <Group as="p" gap="0.25rem 0.625rem">
      {is_unread && <Badge color="red">未読</Badge>}
      {is_pinned && <Tag variant="strong">重要</Tag>}
      {is_personal && <Tag variant="strong">あなただけに</Tag>}
      <Tag>{category}</Tag>
      <Note as="span">
        <time dateTime={published_at}>{formatDate(published_at)}</time>
      </Note>
    </Group>
  );
}
