import { paths } from "@konomana/paths";
import { ButtonLink, Container, formatDate, formatLastDay, Group } from "@konomana/ui-base";
import type { NextMockExam } from "../data/home";

/** The next mock exam: its date, school year and application deadline. */
export function NextExam({ exam }: { exam: NextMockExam }) {
  return (
    <Container section>
      <Group justify="space-between" gap="lg">
        <div>
          <h2>{exam.name}</h2>
          <p>
            {exam.school_year}・{formatDate(exam.starts_at)}から（申込は
            {formatLastDay(exam.application_closes_at)}まで）
          </p>
        </div>
        <ButtonLink pill to={paths.konomoshi()} variant="default">
          コノ模試を見る
        </ButtonLink>
      </Group>
    </Container>
  );
}
