import { examKeys, type ListedCheck, loadChecks } from "@konomana/exam-card";
import { paths } from "@konomana/paths";
import { QueryBoundary, useStaleWhileRevalidate } from "@konomana/query";
import { Head, LoadingState, Stack, TextLink } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { useLoaderData, useSearchParams } from "react-router";
import { freeCheckQuery } from "../api";
import { CheckChoice } from "./CheckChoice";
import { FreeCheck } from "./FreeCheck";

/** /test: ten questions by school year and subject, scored at once. Needs no account. */
export function FreeCheckScreen() {
  const built = useLoaderData<readonly ListedCheck[]>();
  const checks = useStaleWhileRevalidate<readonly ListedCheck[]>(
    examKeys.checks,
    built,
    loadChecks,
  );
  const [params] = useSearchParams();
  const check = /^[1-9]\d{0,8}$/.exec(params.get("check") ?? "")?.[0];
  return (
    <Stack gap="lg">
      <Head
        title="無料の実力チェック"
        description="学年と教科をえらんで10問。登録なしで、その場で採点と解説まで見られる、中学生・高校生の無料の実力チェックです。"
      />
      {check === undefined ? (
        <CheckChoice checks={checks} />
      ) : (
        <OneCheck key={check} id={Number(check)} />
      )}
    </Stack>
  );
}

function OneCheck({ id }: { id: number }) {
  return (
    <>
      <TextLink to={paths.freeCheck()}>← ほかの学年・教科をえらぶ</TextLink>
      <QueryBoundary
        query={useQuery(freeCheckQuery(id))}
        loading={<LoadingState rows={2} height="14rem" />}
      >
        {(check) => <FreeCheck check={check} />}
      </QueryBoundary>
    </>
  );
}
