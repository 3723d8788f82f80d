import { paths } from "@konomana/paths";
import { ButtonLink, Head, Note, Stack, Group, Container } from "@konomana/ui-base";
import { useEffect } from "react";
import { useLoaderData, useRevalidator } from "react-router";
import { type HomeData, isFresh } from "../data/home";
import { CourseCards } from "../list/CourseCard";
import { Costs } from "./Costs";
import { Faces } from "./Faces";
import { Hero } from "./Hero";
import styles from "./home.module.css";
import { News } from "./News";
import { NextExam } from "./NextExam";
import { Shelves } from "./Shelves";
import { StartButton } from "./StartButton";
import { Steps } from "./Steps";
import { Success } from "./Success";
import { Welcome } from "./Welcome";

/** The front page: what コノマナ is, its audience, the courses, and news. */
export function HomeScreen() {
  const home = useLoaderData<HomeData>();
  const { revalidate } = useRevalidator();
  const { as_of } = home;
  // A prerendered page may be days old. It shows until the API has answered.
  useEffect(() => {
    if (!isFresh(as_of)) void revalidate();
  }, [as_of, revalidate]);
  return (
    <>
      <Head description="コノマナは、中学生・高校生のためのオンライン学習サービスです。学年と教科から講座をえらび、短いレッスンをひとつずつ、自分のペースで進められます。" />
      <Hero home={home} />
      <Container as="section" section className={styles.section} aria-labelledby="shelves">
        <h2 id="shelves">学年と教科からさがす</h2>
        <Note size="md" mt="0.5rem" mb="1.75rem">
          いまの学年でも、前の学年の復習でも。気になるところから始められます。
        </Note>
        <Shelves shelves={home.shelves} />
      </Container>
      <Container as="section" section className={styles.section} aria-labelledby="featured">
        <h2 id="featured">講座を見てみる</h2>
        <Note size="md" mt="0.5rem" mb="1.75rem">
          どの講座も、始める前に中身をすべて確かめられます。
        </Note>
        <CourseCards courses={home.featured} />
        <Group as="p" justify="center" mt="xl">
          <ButtonLink pill to={paths.courses()} variant="default" size="lg">
            {home.count}講座をすべて見る
          </ButtonLink>
        </Group>
      </Container>
      {home.mockExam && <NextExam exam={home.mockExam} />}
      <Costs period_days={home.period_days} />
      <Steps />
      <Welcome />
      <Faces teachers={home.teachers} />
      {home.success !== null && <Success success={home.success} />}
      <News home={home} />
      <Stack
        as="section"
        gap="lg"
        align="center"
        className={`kn-center ${styles.closing}`}
        aria-labelledby="closing"
      >
        <h2 id="closing">最初の1レッスンを、今日えらんでみませんか。</h2>
        <p>登録は無料です。講座の中身は、登録の前でもすべてご覧いただけます。</p>
        <Group as="p" actions gap="sm">
          <StartButton />
          <ButtonLink pill to={paths.courses()} size="xl" variant="default">
            講座を見る
          </ButtonLink>
        </Group>
      </Stack>
    </>
  );
}
