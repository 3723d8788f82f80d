import { supportKeys, type EntryExam } from "../api";
import { useStaleWhileRevalidate } from "@konomana/query";
import { paths } from "@konomana/paths";
import {
  Button,
  ButtonLink,
  EmptyState,
  Group,
  Stack,
  Panel,
  Grid,
  Page,
  Title,
  Note,
  Lines,
} from "@konomana/ui-base";
import { SelectField } from "@konomana/ui-kit";
import { useLoaderData, useSearchParams } from "react-router";
import { newest } from "../data/supportSource";
import { SearchForm } from "../parts/SearchForm";
import { useToday } from "../parts/useToday";
import { type Month, monthInWords, monthsOf, prefecturesOf } from "./calendar";
import styles from "./EntryExamScreen.module.css";
import { ExamCard } from "./ExamCard";
import { ExamRow } from "./ExamRow";
import { ExamGuide } from "./ExamGuide";

/** /entry-exam: the dates of entrance exams, and a guide to the preparation. */
export function EntryExamScreen() {
  const exams = useStaleWhileRevalidate(
    supportKeys.entryExams,
    useLoaderData<readonly EntryExam[]>(),
    newest.entryExams,
  );
  const today = useToday();
  const prefecture = useSearchParams()[0].get("prefecture") || undefined;
  const months = monthsOf(exams, prefecture);
  return (
    <Page
      title={prefecture === undefined ? "入試カレンダー" : `${prefecture}の入試カレンダー`}
      description="高校入試・大学入試の出願、試験、合格発表の日程を月ごとにまとめたカレンダーと、いつ何を準備すればよいかのガイドです。"
      lead="出願から合格発表までの日程と、それまでに準備することをまとめました。出願の前に、かならず学校や教育委員会の発表でもお確かめください。"
    >
      <SearchForm
        className="kn-column"
        action={paths.entryExam()}
        key={prefecture ?? ""}
        preventScrollReset
      >
        <Group gap="sm" align="end" nowrap>
          <SelectField
            className="kn-grow"
            name="prefecture"
            label="都道府県をえらぶ"
            defaultValue={prefecture ?? ""}
            data={[{ value: "", label: "すべての都道府県" }, ...prefecturesOf(exams)]}
          />
          <Button type="submit" className="kn-fixed">
            表示する
          </Button>
        </Group>
      </SearchForm>
      {months.length === 0 && (
        <EmptyState
          title="この都道府県の入試は、まだ載っていません"
          action={
            <ButtonLink pill to={paths.entryExam()} variant="default">
              すべての都道府県を見る
            </ButtonLink>
          }
        >
          日程が発表されしだい、お知らせします。
        </EmptyState>
      )}
      {prefecture === undefined ? (
        <Overview months={months} today={today} />
      ) : (
        <Details months={months} today={today} />
      )}
      <ExamGuide />
    </Page>
  );
}

interface MonthsProps {
  months: readonly Month[];
  today: string | null;
}

/** Every exam in one line, by month. */
function Overview({ months, today }: MonthsProps) {
  return (
    <Stack>
      {months.map(({ month, exams }, index) => (
        <Panel key={month} open={index === 0} as="details" pad="none" className={styles.folded}>
          <summary className="kn-row kn-chevron">
            <Title order={2} size="h4">
              {monthInWords(month)}
            </Title>
            <Note as="span" className="kn-push">
              {exams.length}件
            </Note>
          </summary>
          <Lines>
            {exams.map((exam) => (
              <li key={exam.id}>
                <ExamRow exam={exam} today={today} />
              </li>
            ))}
          </Lines>
        </Panel>
      ))}
    </Stack>
  );
}

/** The exams of one prefecture with all details. */
function Details({ months, today }: MonthsProps) {
  return months.map(({ month, exams }) => (
    <Stack key={month} as="section" className={styles.month} aria-labelledby={`month-${month}`}>
      <h2 id={`month-${month}`}>{monthInWords(month)}</h2>
      <Grid as="ul" min="20rem">
        {exams.map((exam) => (
          <li key={exam.id}>
            <ExamCard exam={exam} today={today} />
          </li>
        ))}
      </Grid>
    </Stack>
  ));
}
