import { Grid } from "@konomana/ui-base";
import { Portrait } from "@konomana/ui-base/art";

/** The ids of the first six teachers. */
const teachers = [1, 2, 3, 4, 5, 6] as const;

/** Decorative portraits of teachers, without names. */
export function TeacherFaces() {
  return (
    <Grid cols={3} gap="sm">
      {teachers.map((id) => (
        <div key={id} className="kn-framed">
          <Portrait id={id} />
        </div>
      ))}
    </Grid>
  );
}
