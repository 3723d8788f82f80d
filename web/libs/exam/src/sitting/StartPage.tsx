import { paths } from "@konomana/paths";
import {
  Button,
  formatDateTime,
  Group,
  Panel,
  Stack,
  Text,
  TextLink,
  Title,
} from "@konomana/ui-base";
import type { Exam, PaperState } from "../api";
import { ExtraTimeNote } from "../application/ExtraTimeNote";
import { timeOf } from "../application/extraTime";

interface StartPageProps {
  exam: Exam;
  paper: PaperState;
  /** Percentage of the paper's minutes; 100 is without extra time. */
  timePercent: number;
  onStart: () => void;
}

/** The rules of a subject, before the paper starts. */
export function StartPage({ exam, paper, timePercent, onStart }: StartPageProps) {
  const { subject, minutes, paper_id } = paper;
  const questions = exam.papers.find(({ id }) => id === paper_id)?.question_count;
  return (
    <Stack gap="lg">
      <header>
        <TextLink to={paths.examSitting(exam.id)}>← 教科の一覧にもどる</TextLink>
        <Title order={1} size="h3" mt="xs">
          {subject}を始めます
        </Title>
      </header>
      <ExtraTimeNote percent={timePercent} />
      <Panel as="section" aria-label="時間と問題数">
        <Text bold>
          時間は{timeOf(minutes, timePercent)}
          {questions !== undefined && `、問題は${questions}問`}です。
        </Text>
        <Text size="sm" dimmed>
          この模試は{formatDateTime(exam.ends_at)}に終わります。それより後の時間は使えません。
        </Text>
      </Panel>
      <Panel as="section" aria-labelledby="rules" gap="sm">
        <Title order={2} size="h5" id="rules">
          受けるときの決まり
        </Title>
        <ul className="kn-bullets">
          <li>「始める」を押すと、時間が進みはじめます。途中で止めることはできません。</li>
          <li>残り時間はサーバーの時計で決まります。この端末の時計がずれていても変わりません。</li>
          <li>答えは、すぐにこの端末とサーバーに保存します。「保存済み」と出れば届いています。</li>
          <li>接続が切れても、そのまま答え続けてください。つながると自動で送ります。</li>
          <li>画面を閉じてしまっても、同じ問題から続けられます。その間も時間は進みます。</li>
          <li>時間になると、そこまでの答えを自動で提出します。</li>
          <li>
            画面から離れた時間、問題ごとに見ていた時間、端末の引きつぎを記録します。結果のページで見られます。この記録だけで何かを決めることはありません。カメラは使いません。
          </li>
        </ul>
      </Panel>
      <Group actions>
        <Button size="lg" onClick={onStart}>
          始める
        </Button>
      </Group>
    </Stack>
  );
}
