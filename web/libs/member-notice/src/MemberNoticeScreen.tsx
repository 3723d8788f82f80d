import { paths } from "@konomana/paths";
import { QueryBoundary } from "@konomana/query";
import { Head, LoadingState, Prose, Stack, TextLink, Title } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { memberNoticeQuery } from "./memberNoticeCalls";
import { NoticeTags } from "./NoticeTags";

/** /mypage/notice/{id}: a notice for the person. Opening it marks it as read. */
export function MemberNoticeScreen() {
  const { id } = useParams();
  return (
    <Stack gap="lg">
      <TextLink to={paths.memberNotices()}>← あなたへのお知らせ</TextLink>
      <QueryBoundary
        query={useQuery(memberNoticeQuery(Number(id)))}
        loading={<LoadingState rows={2} height="8rem" />}
      >
        {(notice) => (
          <>
            <Head title={notice.title} />
            <NoticeTags notice={notice} />
            <Title order={1} size="h2">
              {notice.title}
            </Title>
            <Prose text={notice.body} />
          </>
        )}
      </QueryBoundary>
    </Stack>
  );
}
