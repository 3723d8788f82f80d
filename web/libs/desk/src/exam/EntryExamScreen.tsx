import type { EntryExam } from "@konomana/api";
import { useNewest } from "@konomana/calls";
import { paths } from "@konomana/paths";
import { ButtonLink, EmptyState } from "@konomana/ui";
import { type LoaderFunctionArgs, useLoaderData, useSearchParams } from "react-router";
import { deskSource, newest } from "../data/source";
import { Choices } from "../parts/Choices";
import { Page } from "../parts/Page";
import { useToday } from "../parts/useInBrowser";
import { monthInWords, monthsOf, prefecturesOf } from "./calendar";
import { ExamCard } from "./ExamCard";
import styles from "./EntryExamScreen.module.css";
import { Guide } from "./Guide";

export const loader = ({ context, request }: LoaderFunctionArgs) =>
  context.get(deskSource).entryExams(request.signal);

/** /entry-exam: when entrance exams take place, and what to prepare when. */
export function Component() {
  const exams = useNewest(["entry-exam"], useLoaderData<readonly EntryExam[]>(), newest.entryExams);
  const today = useToday();
  const prefecture = useSearchParams()[0].get("prefecture") || undefined;
  const months = monthsOf(exams, prefecture);
  return (
    <Page
      title={prefecture === undefined ? "入試カレンダー" : `${prefecture}の入試カレンダー`}
      description="高校入試・大学入試の出願、試験、合格発表の日程を月ごとにまとめたカレンダーと、いつ何を準備すればよいかのガイドです。"
      lead="出願から合格発表までの日程と、それまでに準備することをまとめました。出願の前に、かならず学校や教育委員会の発表でもお確かめください。"
    >
      <Choices
        label="都道府県"
        options={prefecturesOf(exams)}
        chosen={prefecture}
        hrefFor={paths.entryExam}
      />
      {months.length === 0 ? (
        <EmptyState
          title="この都道府県の入試は、まだ載っていません"
          action={
            <ButtonLink to={paths.entryExam()} variant="default">
              すべての都道府県を見る
            </ButtonLink>
          }
        >
          日程が発表されしだい、お知らせします。
        </EmptyState>
      ) : (
        months.map(({ month, exams: own }) => (
          <section key={month} className={styles.month} aria-labelledby={`month-${month}`}>
            <h2 id={`month-${month}`}>{monthInWords(month)}</h2>
            <ul className={styles.exams}>
              {own.map((exam) => (
                <li key={exam.id}>
                  <ExamCard exam={exam} today={today} />
                </li>
              ))}
            </ul>
          </section>
        ))
      )}
      <Guide />
    </Page>
  );
}
