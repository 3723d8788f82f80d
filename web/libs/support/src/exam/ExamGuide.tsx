import { paths } from "@konomana/paths";
import { ButtonLink, Panel, Stack, Grid, Note } from "@konomana/ui-base";

interface Step {
  readonly when: string;
  readonly what: string;
  readonly how: string;
}

const highSchool: readonly Step[] = [
  {
    when: "4月〜7月",
    what: "授業と定期テストを大切に",
    how: "調査書（内申）は、ふだんの成績で決まります。習ったその日に10分、見直すところから始めましょう。",
  },
  {
    when: "夏休み",
    what: "中1・中2の復習を終わらせる",
    how: "入試の問題の多くは、前の学年で習うことから出ます。苦手な単元を3つ選んで、そこだけはやり直します。",
  },
  {
    when: "9月〜10月",
    what: "学校を見に行き、候補をしぼる",
    how: "説明会や文化祭で、通う道と学校のふんいきを確かめます。気になる学校を3つほど、家の人と話しておきます。",
  },
  {
    when: "11月〜12月",
    what: "受ける学校を決める",
    how: "三者面談までに、第一志望と、ほかに受ける学校を決めます。科目ごとの時間配分も、このころに練習します。",
  },
  {
    when: "1月〜出願",
    what: "書類をそろえ、早めに出す",
    how: "願書、写真、受験料、調査書の申しこみ。締め切りの1週間前までに、家の人と一緒に確かめます。",
  },
  {
    when: "試験の前の週",
    what: "朝型にして、持ち物をそろえる",
    how: "新しい問題には手を出さず、まちがえた問題を見直します。受験票、時計、筆記用具、上着を一か所に置きます。",
  },
];

const university: readonly Step[] = [
  {
    when: "4月〜7月",
    what: "受ける方式と科目を調べる",
    how: "同じ大学でも、方式によって科目と配点がちがいます。行きたい学部を3つ選び、必要な科目を書き出します。",
  },
  {
    when: "夏休み",
    what: "基礎をひととおり終える",
    how: "英語と数学は、夏のうちに全範囲を1周します。わからない単元は、前の学年の講座に戻るのが近道です。",
  },
  {
    when: "9月〜10月",
    what: "出願の準備を始める",
    how: "共通テストの出願は秋です。学校推薦や総合型を受ける人は、書類と面接の準備もこのころから始めます。",
  },
  {
    when: "11月〜12月",
    what: "時間を計って解く",
    how: "本番と同じ時間、同じ順番で解きます。できなかった理由を「知らない」「時間不足」「見まちがい」に分けます。",
  },
  {
    when: "1月〜2月",
    what: "自己採点をして、出願を決める",
    how: "共通テストの翌日に自己採点をします。出願と受験料の締め切り、試験会場までの行き方を表にしておきます。",
  },
  {
    when: "試験の前の日",
    what: "早く寝る",
    how: "受験票、時計、筆記用具、昼食を用意し、会場までの時間をもう一度確かめます。あとは、ふだんどおりに。",
  },
];

/** A guide to the preparation, for entrance exams of high schools and universities. */
export function ExamGuide() {
  return (
    <Panel as="section" variant="raised" pad="lg" gap="lg" aria-labelledby="guide">
      <h2 id="guide">いつ、何を準備する？</h2>
      <Grid min="22rem" fill gap="xl">
        <Way title="高校入試（中3のみなさん）" steps={highSchool} school_year="中3" />
        <Way title="大学入試（高3のみなさん）" steps={university} school_year="高3" />
      </Grid>
    </Panel>
  );
}

interface WayProps {
  title: string;
  steps: readonly Step[];
  school_year: string;
}

function Way({ title, steps, school_year }: WayProps) {
  return (
    <Stack align="start">
      <h3>{title}</h3>
      <ol className="kn-timeline">
        {steps.map(({ when, what, how }) => (
          <li key={when}>
            <p className="kn-accent kn-fine kn-bold">{when}</p>
            <h4>{what}</h4>
            <Note>{how}</Note>
          </li>
        ))}
      </ol>
      <ButtonLink pill to={paths.courses({ school_year: [school_year] })} variant="default">
        {school_year}の講座を見る
      </ButtonLink>
    </Stack>
  );
}
