import { CoverLink } from "../layout/CoverLink";
import { Grid } from "../layout/Grid";
import { Panel } from "../layout/Panel";
import { Note } from "../text/Note";
import styles from "./Neighbours.module.css";

/** The page before or after this one. */
export interface Neighbour {
  to: string;
  /** The relation to this page, as in 「次のお知らせ」. */
  label: string;
  title: string;
}

interface NeighboursProps {
  /** Accessible name. */
  label: string;
  previous: Neighbour | null;
  next: Neighbour | null;
}

/** Links to the pages before and after this one, if there are any. */
export function Neighbours({ label, previous, next }: NeighboursProps) {
  if (previous === null && next === null) return null;
  return (
    <Grid as="nav" cols={2} gap="sm" aria-label={label}>
      {previous !== null && <Way neighbour={previous} rel="prev" />}
      {next !== null && <Way neighbour={next} rel="next" />}
    </Grid>
  );
}

function Way({ neighbour, rel }: { neighbour: Neighbour; rel: "prev" | "next" }) {
  return (
    <Panel pad="0.75rem 1rem" className={styles.way} data-rel={rel}>
      <CoverLink to={neighbour.to} rel={rel}>
        <Note as="div" size="xs">
          {neighbour.label}
        </Note>
        {neighbour.title}
      </CoverLink>
    </Panel>
  );
}
