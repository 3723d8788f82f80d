import { NOTICE_FEED, supportKeys } from "../api";
import { useStaleWhileRevalidate } from "@konomana/query";
import { paths } from "@konomana/paths";
import type { NoticeSummary } from "../api";
import {
  ButtonLink,
  EmptyState,
  formatDate,
  Pager,
  Stack,
  Panel,
  Group,
  Note,
  Page,
  Tag,
  ChipLinks,
  CoverLink,
  Title,
  TextLink,
} from "@konomana/ui-base";
import { useLoaderData, useNavigation } from "react-router";
import { noticeCategories, type NoticeList } from "../data/lists";
import { newest } from "../data/supportSource";

/** /notice: the notices, pinned ones first, then the newest. */
export function NoticeListScreen() {
  const loaded = useLoaderData<NoticeList>();
  const isWhole = paths.notices(loaded.filters) === paths.notices();
  const { filters, pages, notices } = useStaleWhileRevalidate(
    isWhole ? supportKeys.notices : null,
    loaded,
    (signal) => newest.notices(loaded.filters, signal),
  );
  const loading = useNavigation().state === "loading";
  const { category } = filters;
  return (
    <Page
      title={category === undefined ? "お知らせ" : `${category}のお知らせ`}
      description="コノマナからのお知らせです。新しい講座、イベント、メンテナンスの予定などをお伝えします。"
      narrow
    >
      <link
        rel="alternate"
        type="application/atom+xml"
        title="コノマナのお知らせ"
        href={NOTICE_FEED}
      />
      <ChipLinks
        label="お知らせの種類"
        chips={[undefined, ...noticeCategories].map((option) => ({
          to: paths.notices({ category: option }),
          label: option ?? "すべて",
          chosen: option === category,
        }))}
        preventScrollReset
      />
      <div aria-busy={loading}>
        {notices.length === 0 ? (
          <EmptyState
            title="この種類のお知らせは、まだありません"
            action={
              <ButtonLink pill to={paths.notices()} variant="default">
                すべてのお知らせを見る
              </ButtonLink>
            }
          />
        ) : (
          <Stack as="ul" gap="sm">
            {notices.map((notice) => (
              <li key={notice.id}>
                <Row notice={notice} />
              </li>
            ))}
          </Stack>
        )}
      </div>
      <Pager
        page={filters.page ?? 1}
        pages={pages}
        hrefFor={(page) => paths.notices({ ...filters, page })}
      />
      <p>
        <TextLink to={NOTICE_FEED} type="application/atom+xml" reloadDocument>
          フィードリーダーで受け取る（Atom）
        </TextLink>
      </p>
    </Page>
  );
}

function Row({ notice }: { notice: NoticeSummary }) {
  return (
    <Panel as="article" gap="xxs">
      <Group as="p" gap="0.25rem 0.625rem">
        {notice.is_pinned && <Tag variant="strong">重要</Tag>}
        <Tag>{notice.category}</Tag>
        <Note as="span">
          <time dateTime={notice.published_at}>{formatDate(notice.published_at)}</time>
        </Note>
      </Group>
      <Title order={2} size="h4">
        <CoverLink to={paths.notice(notice.id)}>{notice.title}</CoverLink>
      </Title>
      <Note>{notice.summary}</Note>
    </Panel>
  );
}
