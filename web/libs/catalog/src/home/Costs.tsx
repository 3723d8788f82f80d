import { namesOf } from "@konomana/paths";
import { Container, Grid, Note, Panel } from "@konomana/ui-base";
import type { HomeData } from "../data/home";

/** A summary of the prices, and the services that are not open yet. */
export function Costs({ period_days }: Pick<HomeData, "period_days">) {
  const costs = [
    {
      name: "買い切り",
      text: "払うのは講座ごとに1回だけ。次の講座が自動で買われることはありません。",
    },
    ...(period_days === null
      ? []
      : [
          {
            name: `${period_days}日`,
            text: "購入した日から、何度でも学べます。ノートと記録は、そのあとも残ります。",
          },
        ]),
    { name: "入会金なし", text: "入会金も年会費もありません。登録は無料です。" },
  ];
  return (
    <Container as="section" section aria-labelledby="costs">
      <h2 id="costs">料金は、講座ごとに1回だけ</h2>
      <Grid as="dl" min="14rem" fill gap="lg" mt="1.75rem" mb="md">
        {costs.map(({ name, text }) => (
          <Panel key={name} variant="raised" gap="0.25rem">
            <dt>
              <strong>{name}</strong>
            </dt>
            <dd>
              <Note>{text}</Note>
            </dd>
          </Panel>
        ))}
      </Grid>
      <Note>{namesOf(false)}は準備中です。</Note>
    </Container>
  );
}
