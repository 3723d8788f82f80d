import { supportKeys } from "../api";
import { useStaleWhileRevalidate } from "@konomana/query";
import { paths } from "@konomana/paths";
import { useLoaderData } from "react-router";
import type { Neighbour, NoticeData } from "../data/lists";
import { newest } from "../data/supportSource";
import {
  ButtonLink,
  formatDate,
  Prose,
  Group,
  Page,
  Tag,
  Neighbours,
  Note,
} from "@konomana/ui-base";

/** /notice/{id}: one notice, with links to the previous and the next one. */
export function NoticeScreen() {
  const loaded = useLoaderData<NoticeData>();
  const { id } = loaded.notice;
  const { notice, newer, older } = useStaleWhileRevalidate(
    supportKeys.notice(id),
    loaded,
    (signal) => newest.notice(id, signal),
  );
  const changed = formatDate(notice.modified_at);
  const published = formatDate(notice.published_at);
  return (
    <Page
      title={notice.title}
      description={notice.summary}
      narrow
      above={
        <Group as="p" gap="0.25rem 0.625rem">
          <Tag>{notice.category}</Tag>
          <Note as="span">
            <time dateTime={notice.published_at}>{published}</time>
          </Note>
          {Date.parse(notice.modified_at) > Date.parse(notice.published_at) &&
            changed !== published && (
              <Note as="span">
                （<time dateTime={notice.modified_at}>{changed}</time>に更新）
              </Note>
            )}
        </Group>
      }
    >
      <Prose text={notice.body} />
      <Neighbours
        label="ほかのお知らせ"
        previous={neighbourOf(older, "前のお知らせ")}
        next={neighbourOf(newer, "次のお知らせ")}
      />
      <Group justify="center">
        <ButtonLink pill to={paths.notices()} variant="default">
          お知らせの一覧へ
        </ButtonLink>
      </Group>
    </Page>
  );
}

function neighbourOf(notice: Neighbour | null, label: string) {
  return notice && { to: paths.notice(notice.id), label, title: notice.title };
}
