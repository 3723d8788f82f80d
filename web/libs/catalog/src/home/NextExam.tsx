import { paths } from "@konomana/paths";
import {
  ButtonLink,
  Container,
  formatDate,
  formatLastDay,
  formatPrice,
  Group,
  Note,
  Panel,
  Stack,
} from "@konomana/ui-base";
import type { HomeData, NextMockExam } from "../data/home";

interface NextExamProps extends Pick<HomeData, "as_of"> {
  exam: NextMockExam;
}

/** The next mock exam: when, for whom, for how much, and until when one can apply. */
export function NextExam({ exam, as_of }: NextExamProps) {
  const { name, school_year, starts_at, application_closes_at, product_id, price } = exam;
  return (
    <Container as="section" section aria-labelledby="mock-exam">
      <Panel variant="raised" pad="lg">
        <Group justify="space-between" gap="lg">
          <Stack gap="xxs">
            <Note as="span">家で受ける、本番のような模試</Note>
            <h2 id="mock-exam">{name}</h2>
            <p>
              <time dateTime={starts_at}>{formatDate(starts_at)}</time>から・{school_year}・
              {product_id === null ? "無料" : price !== null && formatPrice(price)}
            </p>
            <Note>
              {Date.parse(application_closes_at) <= as_of
                ? "お申し込みの受け付けは終わりました。"
                : exam.seats_left === 0
                  ? "満席です。"
                  : `申込は${formatLastDay(application_closes_at)}まで`}
            </Note>
          </Stack>
          <ButtonLink pill to={paths.konomoshi()} variant="default" size="lg">
            コノ模試を見る
          </ButtonLink>
        </Group>
      </Panel>
    </Container>
  );
}
