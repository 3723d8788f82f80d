import type { Overview } from "../api";
import {
  Badge,
  formatDate,
  formatDateTime,
  Group,
  Lines,
  Note,
  Text,
  TextLink,
} from "@konomana/ui-base";

interface ExamsPartProps {
  exams: NonNullable<Overview["exams"]>;
  /** The address of the result of an exam. */
  examResult: (exam: number) => string;
}

/** The next mock exams, and those with a result. */
export function ExamsPart({ exams: { next, results, last_total }, examResult }: ExamsPartProps) {
  return (
    <>
      {next.length === 0 && <Text>これから受ける模試は、まだありません。</Text>}
      {next.length > 0 && (
        <Lines>
          {next.map((exam) => (
            <li key={exam.exam_id}>
              <Text bold>{exam.name}</Text>
              <Note>
                {formatDateTime(exam.starts_at)}から
                {exam.is_application_open && "・受験の準備が残っています"}
              </Note>
            </li>
          ))}
        </Lines>
      )}
      {results.length === 0 && <Note>模試を受けると、結果がここに並びます。</Note>}
      {results.length > 0 && (
        <Lines>
          {results.map(({ exam_id, exam_name, ends_at, is_final }, index) => (
            <Group key={exam_id} as="li" gap="sm" justify="space-between">
              <div>
                <TextLink strong to={examResult(exam_id)}>
                  {exam_name}
                </TextLink>
                <Note>
                  {formatDate(ends_at)}まで
                  {index === 0 && last_total !== null && `・${totalInWords(last_total)}`}
                </Note>
              </div>
              <Badge color={is_final ? "teal" : "gray"} variant="outline" size="lg">
                {is_final ? "確定" : "暫定"}
              </Badge>
            </Group>
          ))}
        </Lines>
      )}
    </>
  );
}

function totalInWords(total: NonNullable<ExamsPartProps["exams"]["last_total"]>): string {
  const points = `${total.points} / ${total.full_points}点`;
  const tenths = total.deviation_score_tenths;
  return tenths === null ? points : `${points}・偏差値 ${(tenths / 10).toFixed(1)}`;
}
