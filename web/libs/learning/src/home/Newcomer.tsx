import { MyExams } from "@konomana/exam-card";
import type { User } from "@konomana/session";
import { paths } from "@konomana/paths";
import { CoverLink, Note, Rows, Stack, Text, Title, TitledPanel } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { examReviewsQuery } from "../api";
import { ExamReviewsDue } from "../examReview/ExamReviewsDue";
import { Upcoming } from "./Upcoming";

interface Step {
  to: string;
  title: string;
  text: string;
}

/** My page of a learner without courses: a greeting and the first three steps. */
export function Newcomer({ user }: { user: User }) {
  const inExams = useQuery(examReviewsQuery).data?.count ?? 0;
  return (
    <Stack gap="lg">
      <Title order={1} size="h2">
        {user.last_name} {user.first_name}さん、ようこそ
      </Title>
      <Text>はじめの3ステップです。講座を始めると、ここに学習のようすが並びます。</Text>
      <Rows aria-label="はじめの3ステップ">
        {stepsFor(user).map(({ to, title, text }, index) => (
          <li key={to}>
            <CoverLink to={to}>
              {index + 1}. {title}
            </CoverLink>
            <Note>{text}</Note>
          </li>
        ))}
      </Rows>
      {inExams > 0 && (
        <TitledPanel title="今日の復習">
          <ExamReviewsDue count={inExams} />
        </TitledPanel>
      )}
      <Upcoming />
      <MyExams />
    </Stack>
  );
}

/** A minor needs a guardian before the first purchase. */
function stepsFor(user: User): readonly Step[] {
  return [
    {
      to: coursesFor(user),
      title: "講座をさがす",
      text: "章もレッスンも、中身を見てからえらべます。講座のページには、無料の見本のレッスンもあります。",
    },
    {
      to: paths.bookmarks(),
      title: "「あとで見る」に入れておく",
      text: "気になった講座を入れておくと、いつでもここから開けます。",
    },
    user.guardian_consent === "not_needed"
      ? {
          to: paths.settingsPassword(),
          title: "ログインをかんたんにする",
          text: "パスキーを追加すると、パスワードを入力しなくてもログインできます。",
        }
      : {
          to: paths.settingsGuardian(),
          title: "保護者の方とつながる",
          text: "進みぐあいを見てもらえます。講座を購入するときに必要な同意も、これでそろいます。",
        },
  ];
}

/** The catalogue filtered by the learner's school year, if it can have courses. */
function coursesFor({ school_year: year }: User): string {
  return paths.courses(year !== null && /^[中高]/.test(year) ? { school_year: [year] } : {});
}
