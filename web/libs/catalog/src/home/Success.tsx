import { paths, successYears } from "@konomana/paths";
import {
  ButtonLink,
  formatDate,
  Stack,
  Note,
  Container,
  Grid,
  Panel,
  Tag,
} from "@konomana/ui-base";
import type { HomeData } from "../data/home";

interface SuccessProps {
  success: NonNullable<HomeData["success"]>;
}

/** Results of learners: each figure with its total and its date. */
export function Success({ success: { year, as_of, figures } }: SuccessProps) {
  const page = successYears.find((told) => told === year);
  return (
    <Container as="section" section className="kn-center" aria-labelledby="success">
      <Stack gap="lg" align="center">
        <h2 id="success">{year}年春の合格実績</h2>
        <Grid as="dl" min="14rem" fill gap="lg" className="kn-whole">
          {figures.map(({ label, count, of, unit }) => (
            <Panel key={label} variant="raised">
              <dt className="kn-bold">
                {label} <Tag>見本</Tag>
              </dt>
              <dd>
                <strong className="kn-figure kn-accent" data-large>
                  {count.toLocaleString("ja-JP")}
                </strong>
                {unit}
                <Note size="xs">
                  {of.toLocaleString("ja-JP")}
                  {unit}中
                </Note>
              </dd>
            </Panel>
          ))}
        </Grid>
        <Note size="xs">{formatDate(as_of)}現在。見本の数字で、実在の結果ではありません。</Note>
        {page !== undefined && (
          <p>
            <ButtonLink pill to={paths.success(page)} variant="default" size="lg">
              {year}年の実績と、合格した人の声
            </ButtonLink>
          </p>
        )}
      </Stack>
    </Container>
  );
}
