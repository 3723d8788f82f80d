import { paths } from "@konomana/paths";
import { ButtonLink } from "@konomana/ui-base";
import { Portrait } from "@konomana/ui-base/art";
import { Link } from "react-router";
import type { HomeData } from "../data/home";
import styles from "./Faces.module.css";

/** Who teaches here: each face leads to the teacher. */
export function Faces({ teachers }: Pick<HomeData, "teachers">) {
  return (
    <section className={styles.faces} aria-labelledby="faces">
      <h2 id="faces">教えるのは、この先生たち</h2>
      <ul>
        {teachers.map(({ id, name, subjects }) => (
          <li key={id}>
            <div className={styles.portrait}>
              <Portrait id={id} />
            </div>
            <Link to={paths.teacher(id)}>{name} 先生</Link>
            <p>{subjects.join("・")}</p>
          </li>
        ))}
      </ul>
      <p>
        <ButtonLink pill to={paths.teachers()} variant="default" size="lg">
          先生の紹介を見る
        </ButtonLink>
      </p>
    </section>
  );
}
