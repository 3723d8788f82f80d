import { supportKeys, type SuccessYear } from "../api";
import { useStaleWhileRevalidate } from "@konomana/query";
import { paths, type SuccessYearNumber, successYears } from "@konomana/paths";
import {
  BarChart,
  ButtonLink,
  formatDate,
  Panel,
  Note,
  Group,
  Stack,
  Grid,
  Page,
  ChipLinks,
  Lines,
  Tag,
} from "@konomana/ui-base";
import { useLoaderData } from "react-router";
import { newest } from "../data/supportSource";
import { barOf, schoolsByKind } from "./figures";
import { LearnerVoices } from "./LearnerVoices";

/** /success/{year}: the results of a year's learners, as figures with their totals. */
export function SuccessRecordScreen() {
  const loaded = useLoaderData<SuccessYear>();
  const shown = loaded.year as SuccessYearNumber;
  const { year, as_of, figures, schools, voices } = useStaleWhileRevalidate(
    supportKeys.success(shown),
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
      <ChipLinks
        label="年"
        chips={successYears.map((other) => ({
          to: paths.success(other),
          label: `${other}年`,
          chosen: other === year,
        }))}
      />
      <Panel as="section" pad="lg" gap="md" aria-labelledby="figures">
        <h2 id="figures">
          数字で見る{year}年 <Tag>見本</Tag>
        </h2>
        <BarChart
          caption="あてはまる人の割合"
          columns={["項目", "人数", "全体", "割合"]}
          bars={figures.map(barOf)}
        />
        <Note>
          {asOf}
          現在。見本の数字で、実在の結果ではありません。割合は、表の「全体」に対するものです。受験しなかった人と、結果の報告がなかった人は含みません。
        </Note>
      </Panel>
      <Stack as="section" aria-labelledby="schools">
        <h2 id="schools">
          合格した学校 <Tag>見本</Tag>
        </h2>
        <Grid min="17rem" fill>
          {schoolsByKind(schools).map(([kind, own]) => (
            <Panel key={kind} pad="lg" gap="md">
              <h3>{kind}</h3>
              <Lines>
                {own.map(({ name, count }) => (
                  <Group key={name} as="li" justify="space-between" nowrap>
                    <span>{name}</span>
                    <strong className="kn-nowrap">{count}人</strong>
                  </Group>
                ))}
              </Lines>
            </Panel>
          ))}
        </Grid>
      </Stack>
      {voices.length > 0 && <LearnerVoices voices={voices} />}
      <Panel
        as="section"
        variant="tint"
        pad="lg"
        gap="md"
        align="center"
        className="kn-center"
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
