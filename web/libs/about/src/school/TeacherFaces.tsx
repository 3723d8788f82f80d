import { Grid } from "@konomana/ui-base";
import { Portrait } from "@konomana/ui-base/art";
import styles from "./TeacherFaces.module.css";

/** The first six teachers, as a picture of who teaches here; their pages say who they are. */
const teachers = [1, 2, 3, 4, 5, 6] as const;

/** The faces of the school. */
export function TeacherFaces() {
  return (
    <Grid cols={3} gap="sm" className={styles.faces}>
      {teachers.map((id) => (
        <div key={id}>
          <Portrait id={id} />
        </div>
      ))}
    </Grid>
  );
}
