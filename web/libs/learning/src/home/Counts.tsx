import { Grid, Note, Panel, CoverLink } from "@konomana/ui-base";
import { paths } from "@konomana/paths";

interface CountsProps {
  courses: number | undefined;
  completed: number | undefined;
  checks: number | undefined;
  favorites: number | undefined;
}

/** Counts of courses and marks, each with a link to its list. A loading count shows a dash. */
export function Counts({ courses, completed, checks, favorites }: CountsProps) {
  return (
    <Grid as="ul" min="8.5rem" fill gap="sm" aria-label="学習のようす">
      <Count label="所有講座" unit="講座" value={courses} to={paths.ownedCourses()} />
      <Count
        label="修了した講座"
        unit="講座"
        value={completed}
        to={paths.ownedCourses({ state: "complete" })}
      />
      <Count label="学習済み" unit="レッスン" value={checks} to={paths.ownedCourses()} />
      <Count label="お気に入り" unit="レッスン" value={favorites} to={paths.favorites()} />
    </Grid>
  );
}

interface CountProps {
  label: string;
  unit: string;
  value: number | undefined;
  to: string;
}

function Count({ label, unit, value, to }: CountProps) {
  return (
    <Panel as="li" pad="1rem 1.25rem">
      <CoverLink to={to}>
        <Note as="div">{label}</Note>
        <strong className="kn-figure">{value ?? "—"}</strong>
        <Note as="small"> {unit}</Note>
      </CoverLink>
    </Panel>
  );
}
