import { paths } from "@konomana/paths";
import { ButtonLink, Container, Grid, CoverLink, Note } from "@konomana/ui-base";
import { Portrait } from "@konomana/ui-base/art";
import type { HomeData } from "../data/home";
import styles from "./home.module.css";

/** Some teachers; each portrait leads to the teacher's page. */
export function Faces({ teachers }: Pick<HomeData, "teachers">) {
  return (
    <Container as="section" section className="kn-center" aria-labelledby="faces">
      <h2 id="faces">教えるのは、この先生たち</h2>
      <Grid as="ul" min="8.5rem" fill gap="1.5rem 1rem" mt="1.75rem" mb="xl">
        {teachers.map(({ id, name, subjects }) => (
          <li key={id} className="kn-above kn-bold">
            <div className={`kn-round ${styles.portrait}`}>
              <Portrait id={id} />
            </div>
            <CoverLink to={paths.teacher(id)}>{name} 先生</CoverLink>
            <Note>{subjects.join("・")}</Note>
          </li>
        ))}
      </Grid>
      <p>
        <ButtonLink pill to={paths.teachers()} variant="default" size="lg">
          先生の紹介を見る
        </ButtonLink>
      </p>
    </Container>
  );
}
