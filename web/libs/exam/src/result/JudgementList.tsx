import { Badge, Group, Note, Rows, Stack, Text } from "@konomana/ui-base";
import type { Judgement } from "../api";
import { formatFigure } from "./formatFigure";

interface JudgementListProps {
  judgements: readonly Judgement[];
  /** Whether the questions that would have helped are shown. */
  isFinal: boolean;
}

/** The judgement of each department. */
export function JudgementList({ judgements, isFinal }: JudgementListProps) {
  return (
    <Rows aria-label="合格判定">
      {judgements.map((judgement) => (
        <Row key={judgement.department.id} judgement={judgement} isFinal={isFinal} />
      ))}
    </Rows>
  );
}

function Row({ judgement, isFinal }: { judgement: Judgement; isFinal: boolean }) {
  const { desired_rank, school, department, border, grade, probability } = judgement;
  return (
    <Stack as="li" gap="xs">
      <Group gap="0.25rem 1rem" justify="space-between">
        <div>
          <Text bold>
            {desired_rank !== null && `第${desired_rank}志望 `}
            {school.name}
          </Text>
          <Note>
            {department.name}・合格の目安は偏差値{formatFigure(border)}
          </Note>
        </div>
        {grade === null ? (
          <Badge color="gray" variant="outline" size="lg">
            判定不可
          </Badge>
        ) : (
          <Badge color={grade === "A" || grade === "B" ? "teal" : "gray"} size="lg">
            {grade}判定・合格可能性{probability}%
          </Badge>
        )}
      </Group>
      {grade === null ? (
        <Note>すべての教科を受けて、2人以上の結果がそろうと判定できます。</Note>
      ) : (
        <NextGrade judgement={judgement} isFinal={isFinal} />
      )}
    </Stack>
  );
}

/** The gap to the next better grade. */
function NextGrade({
  judgement: { grade, next },
  isFinal,
}: {
  judgement: Judgement;
  isFinal: boolean;
}) {
  if (grade === "A") return <Note>いちばんよい判定です。この調子で続けましょう。</Note>;
  if (next === null) return <Note>今回の模試の点数では、次の判定にとどきません。</Note>;
  return (
    <>
      <Note>
        {next.grade}判定まで、あと{next.missing_points}点（偏差値
        {formatFigure(next.deviation_score)}）です。
      </Note>
      {isFinal && next.questions.length > 0 && (
        <Note>
          とれていればとどいた問題：
          {next.questions
            .map(({ subject, number, points }) => `${subject} 問${number}（${points}点）`)
            .join("、")}
        </Note>
      )}
    </>
  );
}
