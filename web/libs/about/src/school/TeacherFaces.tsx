import { Grid } from "@konomana/ui-base";
import { Portrait } from "@konomana/ui-base/art";

/** The first six teachers, as a picture of who teaches here; their pages say who they are. */
const teachers = [1, 2, 3, 4, 5, 6] as const;

/** The faces of the school. */
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
