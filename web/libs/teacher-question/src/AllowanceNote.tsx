import { QueryBoundary } from "@konomana/query";
import { paths } from "@konomana/paths";
import { formatDateTime, LoadingState, Panel, Text, TextLink } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { allowanceQuery, type Allowance } from "./teacherQuestionCalls";

/** How many questions are left, or that there is no limit, and when answers come. */
export function AllowanceNote() {
  return (
    <QueryBoundary
      query={useQuery(allowanceQuery)}
      part
      loading={<LoadingState rows={1} height="5rem" />}
    >
      {(allowance) => (
        <Panel variant="tint">
          {allowance.left === null ? (
            <Unlimited />
          ) : (
            <Limited {...allowance} left={allowance.left} />
          )}
        </Panel>
      )}
    </QueryBoundary>
  );
}

function Unlimited() {
  return (
    <>
      <Text className="kn-bold">「月額 質問し放題」をご利用中です</Text>
      <Text>何回でも質問できます。24時間以内に、先生が回答します。</Text>
    </>
  );
}

function Limited({
  left,
  monthly,
  renews_at,
}: { left: number } & Pick<Allowance, "monthly" | "renews_at">) {
  return (
    <>
      <Text className="kn-bold">
        {left === 0
          ? `今月の質問（月${monthly}回まで）は使いきりました`
          : `今月はあと${left}回質問できます（月${monthly}回まで）`}
      </Text>
      <Text>
        {left === 0 && `${formatDateTime(renews_at)}から、また質問できます。`}
        <TextLink inline to={paths.monthlyServices()}>
          月額 質問し放題
        </TextLink>
        に申し込むと、何回でも質問でき、24時間以内に回答が届きます。
      </Text>
    </>
  );
}
