import { paths } from "@konomana/paths";
import { ButtonLink, Grid, Container, Panel } from "@konomana/ui-base";
import type { HomeWords } from "../data/home";
import styles from "./Welcome.module.css";

/** A word to the learner, and one to the parent. */
export function Welcome({ learner, parent }: HomeWords) {
  return (
    <Container as="section" section aria-label="生徒のみなさんと保護者の方へ">
      <Grid min="20rem" fill gap="lg">
        <Panel variant="tint" pad="lg" gap="0.875rem" className={styles.learner}>
          <p className={styles.to}>生徒のみなさんへ</p>
          <h2>{learner.title}</h2>
          <p>{learner.text}</p>
          <p>
            <ButtonLink pill to={paths.student()} variant="default">
              生徒のみなさんへ、くわしく
            </ButtonLink>
          </p>
        </Panel>
        <Panel variant="tint" pad="lg" gap="0.875rem" className={styles.parent}>
          <p className={styles.to}>保護者の方へ</p>
          <h2>{parent.title}</h2>
          <p>{parent.text}</p>
          <p>
            <ButtonLink pill to={paths.parent()} variant="default">
              保護者の方へ、くわしく
            </ButtonLink>
          </p>
        </Panel>
      </Grid>
    </Container>
  );
}
