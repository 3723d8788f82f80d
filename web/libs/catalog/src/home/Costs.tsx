import { Container, Grid, Note, Panel } from "@konomana/ui-base";
import type { HomeWords } from "../data/home";

/** What learning costs here, and what is not open yet. */
export function Costs({ costs, upcoming }: HomeWords) {
  return (
    <Container as="section" section aria-labelledby="costs">
      <h2 id="costs">料金は、講座ごとに1回だけ</h2>
      <Grid as="ul" min="14rem" fill gap="lg" mt="1.75rem" mb="md">
        {costs.map(({ title, text }) => (
          <Panel key={title} as="li" variant="raised">
            <h3>{title}</h3>
            <Note>{text}</Note>
          </Panel>
        ))}
      </Grid>
      <Note>{upcoming}</Note>
    </Container>
  );
}
