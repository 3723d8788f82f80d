import type { SuccessYear } from "../api";
import { useNewest } from "@konomana/calls";
import { paths, type SuccessYearNumber, successYears } from "@konomana/paths";
import {
  BarChart,
  ButtonLink,
  formatDate,
  Group,
  Panel,
  Note,
  Stack,
  Grid,
} from "@konomana/ui-base";
import { Link, useLoaderData } from "react-router";
import { newest } from "../data/deskSource";
import { Page } from "../parts/Page";
import { barOf, schoolsByKind } from "./figures";
import styles from "./SuccessScreen.module.css";
import { LearnerVoices } from "./LearnerVoices";

/** /success/{year}: what became of the learners of a year, in figures that say of how many. */
export function SuccessScreen() {
  const loaded = useLoaderData<SuccessYear>();
  const shown = loaded.year as SuccessYearNumber;
  const { year, as_of, figures, schools, voices } = useNewest(
    ["success", shown],
    loaded,
    (signal) => newest.success(shown, signal),
  );
  const asOf = <time dateTime={as_of}>{formatDate(as_of)}</time>;
  return (
    <Page
      title={`${year}年 合格実績`}
      description={`コノマナで学んだ生徒の${year}年の合格実績です。もとになる人数と調べた日をそえた割合、合格した学校、先輩の声をご覧いただけます。`}
      lead={
        <>
          {year}年春に受験した、コノマナの生徒の結果です。{asOf}
          までにいただいた報告をもとにしています。
        </>
      }
    >
      <nav aria-label="年">
        <Group as="ul" gap="0.5rem" className={styles.years}>
          {successYears.map((other) => (
            <li key={other}>
              <Link to={paths.success(other)} aria-current={other === year ? "page" : undefined}>
                {other}年
              </Link>
            </li>
          ))}
        </Group>
      </nav>
      <Panel as="section" pad="lg" gap="md" className={styles.card} aria-labelledby="figures">
        <h2 id="figures">数字で見る{year}年</h2>
        <BarChart
          caption="あてはまる人の割合"
          columns={["項目", "人数", "全体", "割合"]}
          bars={figures.map(barOf)}
        />
        <Note>
          {asOf}
          現在。割合は、表の「全体」に対するものです。受験しなかった人と、結果の報告がなかった人は含みません。
        </Note>
      </Panel>
      <Stack as="section" aria-labelledby="schools">
        <h2 id="schools">合格した学校</h2>
        <Grid min="17rem" fill>
          {schoolsByKind(schools).map(([kind, own]) => (
            <Panel key={kind} pad="lg" gap="md" className={styles.card}>
              <h3>{kind}</h3>
              <ul>
                {own.map(({ name, count }) => (
                  <li key={name}>
                    <span>{name}</span>
                    <span>{count}人</span>
                  </li>
                ))}
              </ul>
            </Panel>
          ))}
        </Grid>
      </Stack>
      {voices.length > 0 && <LearnerVoices voices={voices} />}
      <Panel
        as="section"
        variant="tint"
        gap="md"
        align="center"
        className={styles.closing}
        aria-labelledby="closing"
      >
        <h2 id="closing">次は、あなたの番です。</h2>
        <ButtonLink pill to={paths.courses()} size="lg">
          講座をさがす
        </ButtonLink>
      </Panel>
    </Page>
  );
}
