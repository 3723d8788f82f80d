import { Grid, Container, Panel, Note } from "@konomana/ui-base";
import styles from "./home.module.css";

const steps = [
  {
    title: "えらぶ",
    text: "学年と教科から講座をさがします。章もレッスンも、その長さまで、始める前にすべて見られます。",
  },
  {
    title: "進める",
    text: "終わったレッスンに「学習済みチェック」。どこまで進んだかが、マイページでひと目でわかります。",
  },
  {
    title: "ふり返る",
    text: "大事なレッスンは「お気に入り」、気になる講座は「あとで見る」。見返したいときにすぐ戻れます。",
  },
];

/** Learning in three steps. */
export function Steps() {
  return (
    <section className={styles.band} aria-labelledby="steps">
      <Container>
        <h2 id="steps" className="kn-center">
          進め方は、3つだけ。
        </h2>
        <Grid as="ol" min="16rem" fill gap="lg" mt="xl" className={`kn-numbered ${styles.steps}`}>
          {steps.map(({ title, text }) => (
            <Panel key={title} as="li" pad="1.5rem">
              <h3>{title}</h3>
              <Note>{text}</Note>
            </Panel>
          ))}
        </Grid>
      </Container>
    </section>
  );
}
