import { Link } from "react-router";
import { Note } from "../text/Note";
import styles from "./Neighbours.module.css";

/** A page before or after this one. */
export interface Neighbour {
  to: string;
  /** What it is to this page, as in 「次のお知らせ」. */
  label: string;
  title: string;
}

interface NeighboursProps {
  /** What they are, for those who hear it. */
  label: string;
  previous: Neighbour | null;
  next: Neighbour | null;
}

/** The ways to the pages before and after this one, where there are any. */
export function Neighbours({ label, previous, next }: NeighboursProps) {
  if (previous === null && next === null) return null;
  return (
    <nav className={styles.neighbours} aria-label={label}>
      {previous !== null && <Way neighbour={previous} rel="prev" />}
      {next !== null && <Way neighbour={next} rel="next" />}
    </nav>
  );
}

function Way({ neighbour, rel }: { neighbour: Neighbour; rel: "prev" | "next" }) {
  return (
    <Link className={styles.way} to={neighbour.to} rel={rel} data-rel={rel}>
      <Note as="span" size="xs">
        {neighbour.label}
      </Note>
      {neighbour.title}
    </Link>
  );
}
