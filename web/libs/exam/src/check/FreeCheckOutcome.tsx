import { type ExamCard, formatDeadline, formatPeriod, useExamPhase } from "@konomana/exam-card";
import { paths } from "@konomana/paths";
import { AnswerAndKey, Prompt, RightOrWrong, TexText } from "@konomana/question";
import { rememberPath, useSession } from "@konomana/session";
import {
  Button,
  ButtonLink,
  Group,
  Lines,
  Note,
  Panel,
  Stack,
  Text,
  TextLink,
  Title,
  TitledPanel,
} from "@konomana/ui-base";
import { useId } from "react";
import type { Check, CheckResult, Question } from "../api";

interface FreeCheckOutcomeProps {
  check: Check;
  result: CheckResult;
  onRestart: () => void;
}

/** The score, recommended courses, and each question with its answer and explanation. */
export function FreeCheckOutcome({ check, result, onRestart }: FreeCheckOutcomeProps) {
  const { score, question_count, courses, exam } = result;
  return (
    <Stack gap="lg">
      <Panel variant="raised" gap="sm" align="center">
        <Title order={2} size="h2">
          {question_count}問中 {score}問正解
        </Title>
        <Text bold>{praise(score, question_count)}</Text>
      </Panel>
      <SignUpOffer check={check.id} />
      {courses.length > 0 && (
        <TitledPanel title="ここを学べる講座">
          <Lines>
            {courses.map(({ id, name }) => (
              <li key={id}>
                <TextLink strong to={paths.course(id)}>
                  {name}
                </TextLink>
              </li>
            ))}
          </Lines>
        </TitledPanel>
      )}
      {exam !== null && <NextExamOffer exam={exam} />}
      <Title order={2} size="h3">
        1問ずつ見直す
      </Title>
      {check.questions.map((question) => (
        <Reviewed key={question.id} question={question} result={result} />
      ))}
      <Group actions>
        <Button variant="default" onClick={onRestart}>
          もう一度解く
        </Button>
        <ButtonLink to={paths.freeCheck()} variant="default">
          ほかの学年・教科をえらぶ
        </ButtonLink>
      </Group>
    </Stack>
  );
}

/** Praise for a score. It never tells the learner that they are bad at something. */
function praise(score: number, count: number): string {
  if (score === count) return "全問正解です。すばらしい！";
  if (score * 10 >= count * 7) return "よくできています。まちがえたところを見直しましょう。";
  return "のびるところが見つかりました。解説を読んで、もう一度解いてみましょう。";
}

function SignUpOffer({ check }: { check: number }) {
  const { user } = useSession();
  if (user !== null) return null;
  return (
    <Panel variant="tint" gap="sm">
      <Text bold>この結果は、このブラウザに残ります</Text>
      <Text>
        無料で登録すると、模試に申し込んだり、講座を始めたりできます。登録のあと、この結果にもどれます。
      </Text>
      <Group actions>
        <ButtonLink to={paths.signup()} onClick={() => rememberPath(paths.freeCheck(check))}>
          無料で登録する
        </ButtonLink>
      </Group>
    </Panel>
  );
}

function NextExamOffer({ exam }: { exam: ExamCard }) {
  // A stored result may be weeks old.
  const phase = useExamPhase(exam);
  if (phase !== "open" && phase !== "soon") return null;
  return (
    <TitledPanel title="次は、模試で力をためす" gap="xs">
      <Text bold>{exam.name}</Text>
      <Text>{formatPeriod(exam.starts_at, exam.ends_at)}</Text>
      <Note>申込は{formatDeadline(exam.application_closes_at)}まで</Note>
      <Group actions>
        <ButtonLink variant="light" to={paths.konomoshi()}>
          コノ模試について
        </ButtonLink>
      </Group>
    </TitledPanel>
  );
}

function Reviewed({ question, result }: { question: Question; result: CheckResult }) {
  const prompt = useId();
  const told = result.questions.find(({ question_id }) => question_id === question.id);
  if (told === undefined) return null;
  return (
    <Panel as="section" gap="md" aria-label={`問${question.number}`}>
      <Group justify="space-between">
        <Title order={3} size="h4">
          問{question.number}
        </Title>
        <RightOrWrong right={told.answer === null ? null : told.is_right} />
      </Group>
      <Prompt id={prompt} figures={question.figures}>
        {question.prompt}
      </Prompt>
      <AnswerAndKey choices={question.choices} given={told.answer} answerKey={told.key} />
      <div>
        <Text bold>解説</Text>
        <div>
          <TexText>{told.explanation}</TexText>
        </div>
      </div>
    </Panel>
  );
}
