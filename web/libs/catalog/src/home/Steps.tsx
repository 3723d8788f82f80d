import { Grid, Container, Panel, Note } from "@konomana/ui-base";
import type { HomeWords } from "../data/home";
import styles from "./Steps.module.css";

/** How learning goes here, in three steps. */
export function Steps({ steps }: Pick<HomeWords, "steps">) {
  return (
    <section className={styles.band} aria-labelledby="steps">
      <Container>
        <h2 id="steps">進め方は、3つだけ。</h2>
        <Grid as="ol" min="16rem" fill gap="lg" mt="xl" className={styles.steps}>
          {steps.map(({ title, text }, index) => (
            <Panel key={title} as="li" pad="1.5rem">
              <span className={styles.number} aria-hidden="true">
                {index + 1}
              </span>
              <h3>{title}</h3>
              <Note>{text}</Note>
            </Panel>
          ))}
        </Grid>
      </Container>
    </section>
  );
}
