import { paths } from "@konomana/paths";
import {
  formatDate,
  Grid,
  Note,
  Container,
  Rows,
  Stack,
  Group,
  Tag,
  CoverLink,
  TextLink,
} from "@konomana/ui-base";
import type { HomeData } from "../data/home";

/** News of the school, and the next exams. */
export function News({ home: { notices, exams } }: { home: HomeData }) {
  return (
    <Container section>
      <Grid min="22rem" fill gap="clamp(2rem, 5vw, 3rem)">
        <Stack as="section" gap="sm" aria-labelledby="notices">
          <h2 id="notices">お知らせ</h2>
          <Rows>
            {notices.map(({ id, category, title, published_at }) => (
              <li key={id}>
                <Group gap="0rem 0.75rem">
                  <Note as="span" size="xs">
                    <time dateTime={published_at}>{formatDate(published_at)}</time>
                  </Note>
                  <Tag>{category}</Tag>
                </Group>
                <CoverLink to={paths.notice(id)}>{title}</CoverLink>
              </li>
            ))}
          </Rows>
          <TextLink to={paths.notices()}>お知らせをすべて見る</TextLink>
        </Stack>
        <Stack as="section" gap="sm" aria-labelledby="exams">
          <h2 id="exams">これからの高校入試</h2>
          {exams.length === 0 ? (
            <Note size="md">今年度の入試は終わりました。</Note>
          ) : (
            <Rows>
              {exams.map(({ id, prefecture, name, exam_on }) => (
                <li key={id}>
                  <Group gap="0rem 0.75rem">
                    <Note as="span" size="xs">
                      <time dateTime={exam_on}>{formatDate(exam_on)}</time>
                    </Note>
                    <Tag>{prefecture}</Tag>
                  </Group>
                  <CoverLink to={paths.entryExam(prefecture)}>{name}</CoverLink>
                </li>
              ))}
            </Rows>
          )}
          <TextLink to={paths.entryExam()}>入試日程をすべて見る</TextLink>
        </Stack>
      </Grid>
    </Container>
  );
}
