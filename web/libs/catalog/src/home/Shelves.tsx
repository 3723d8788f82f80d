import { Panel, Grid, Group } from "@konomana/ui-base";
import { paths } from "@konomana/paths";
import { Link } from "react-router";
import type { YearShelf } from "../data/home";
import { subjectColors } from "@konomana/ui-base/art";
import styles from "./home.module.css";

/** A shelf for each school year that has courses, with its subjects as links. */
export function Shelves({ shelves }: { shelves: readonly YearShelf[] }) {
  return (
    <Grid as="ul" min="19.5rem">
      {shelves.map(({ school_year, categories }) => (
        <Panel key={school_year} as="li" variant="raised" pad="1rem" className={styles.shelf}>
          <h3>
            <Link className={styles.year} to={paths.courses({ school_year: [school_year] })}>
              {school_year}
            </Link>
          </h3>
          <Group as="ul" gap="0.5rem">
            {categories.map(({ name, count }) => (
              <li key={name}>
                <Link
                  className={`kn-chip ${styles.subject}`}
                  style={subjectColors(name)}
                  to={paths.courses({ school_year: [school_year], category: [name] })}
                  aria-label={`${school_year} ${name} ${count}講座`}
                >
                  <span className="kn-bold">{name}</span>
                  <small>{count}</small>
                </Link>
              </li>
            ))}
          </Group>
        </Panel>
      ))}
    </Grid>
  );
}
