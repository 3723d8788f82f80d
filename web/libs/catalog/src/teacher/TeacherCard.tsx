import { Note, Panel, CoverLink, Stack } from "@konomana/ui-base";
import type { TeacherSummary } from "../api";
import { paths } from "@konomana/paths";
import { Portrait } from "@konomana/ui-base/art";
import styles from "./TeacherCard.module.css";

/** At least the name is known; the rest is optional. */
type CardTeacher = Pick<TeacherSummary, "id" | "name"> & Partial<TeacherSummary>;

/** One teacher. The whole card leads to the teacher's page; its link is the name. */
export function TeacherCard({ teacher }: { teacher: CardTeacher }) {
  const { id, name, kana, subjects = [], message } = teacher;
  return (
    <Panel as="article" variant="raised" pad="lg" className={styles.card}>
      <div className="kn-round">
        <Portrait id={id} />
      </div>
      <Stack gap="0.25rem" className={styles.text}>
        <div>
          {subjects.length > 0 && (
            <p className="kn-accent kn-fine kn-bold">{subjects.join("・")}</p>
          )}
          <h3>
            <CoverLink to={paths.teacher(id)}>{name} 先生</CoverLink>
          </h3>
          {kana !== undefined && <Note size="xs">{kana}</Note>}
        </div>
        {message !== undefined && <p className={`kn-small ${styles.message}`}>{message}</p>}
      </Stack>
    </Panel>
  );
}
