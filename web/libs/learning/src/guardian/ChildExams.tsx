import { QueryBoundary } from "@konomana/query";
import { paths } from "@konomana/paths";
import {
  Badge,
  formatDate,
  Group,
  Lines,
  LoadingState,
  Note,
  TextLink,
  TitledPanel,
} from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { childExamsQuery } from "../api";

/** The mock exams of a child with a result, or a message that there is none. */
export function ChildExams({ id }: { id: string }) {
  const query = useQuery(childExamsQuery(id));
  return (
    <TitledPanel title="コノ模試の結果" gap="sm">
      <QueryBoundary part query={query} loading={<LoadingState rows={1} height="3rem" />}>
        {(exams) =>
          exams.length === 0 ? (
            <Note>模試を受けると、結果がここに並びます。</Note>
          ) : (
            <Lines>
              {exams.map(({ exam_id, exam_name, ends_at, is_final }) => (
                <Group key={exam_id} as="li" gap="sm" justify="space-between">
                  <div>
                    <TextLink strong to={paths.childExamResult(id, exam_id)}>
                      {exam_name}
                    </TextLink>
                    <Note>{formatDate(ends_at)}まで</Note>
                  </div>
                  <Badge color={is_final ? "teal" : "gray"} variant="outline" size="lg">
                    {is_final ? "確定" : "暫定"}
                  </Badge>
                </Group>
              ))}
            </Lines>
          )
        }
      </QueryBoundary>
    </TitledPanel>
  );
}
