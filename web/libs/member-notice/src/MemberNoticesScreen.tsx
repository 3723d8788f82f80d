import { paths } from "@konomana/paths";
import { PagedList, usePaged } from "@konomana/query";
import {
  CoverLink,
  EmptyState,
  Head,
  LoadingState,
  Note,
  Panel,
  Stack,
  Title,
} from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { type MemberNoticeSummary, memberNoticesQuery } from "./memberNoticeCalls";
import { NoticeTags } from "./NoticeTags";

/** /mypage/notice: the notices for the person, unread ones first. */
export function MemberNoticesScreen() {
  const paged = usePaged();
  const query = useQuery(memberNoticesQuery(paged.page, paged.link));
  return (
    <Stack gap="lg">
      <Head title="あなたへのお知らせ" />
      <Title order={1} size="h2">
        あなたへのお知らせ
      </Title>
      <PagedList paged={paged} query={query} loading={<LoadingState rows={4} height="7.5rem" />}>
        {(list) =>
          list.count === 0 ? (
            <EmptyState title="お知らせはまだありません">
              講座やイベントのお知らせが届くと、ここに並びます。
            </EmptyState>
          ) : (
            <Stack as="ul" gap="sm" aria-label="お知らせの一覧">
              {list.results.map((notice) => (
                <NoticeRow key={notice.id} notice={notice} />
              ))}
            </Stack>
          )
        }
      </PagedList>
    </Stack>
  );
}

function NoticeRow({ notice }: { notice: MemberNoticeSummary }) {
  return (
    <Panel as="li" gap="xxs">
      <NoticeTags notice={notice} />
      <Title order={2} size="h4">
        <CoverLink to={paths.memberNotice(notice.id)}>{notice.title}</CoverLink>
      </Title>
      <Note>{notice.summary}</Note>
    </Panel>
  );
}
