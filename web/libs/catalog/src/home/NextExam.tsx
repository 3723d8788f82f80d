import { paths } from "@konomana/paths";
import {
  ButtonLink,
  Container,
  formatDate,
  formatLastDay,
  formatPrice,
  Group,
} from "@konomana/ui-base";
import type { NextMockExam } from "../data/home";

/** The next mock exam: its date, school year, application deadline, price and seats. */
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
          <p>
            {priceOf(exam)}
            {exam.seats_left !== null && `・${seatsOf(exam.seats_left)}`}
          </p>
        </div>
        <ButtonLink pill to={paths.konomoshi()} variant="default">
          {exam.seats_left === 0 ? "コノ模試を見る" : "コノ模試に申し込む"}
        </ButtonLink>
      </Group>
    </Container>
  );
}

function priceOf({ product_id, price }: NextMockExam): string {
  if (product_id === null) return "無料";
  return price === null ? "有料" : formatPrice(price);
}

function seatsOf(left: number): string {
  return left === 0 ? "満席です" : `あと${left.toLocaleString("ja-JP")}人`;
}
