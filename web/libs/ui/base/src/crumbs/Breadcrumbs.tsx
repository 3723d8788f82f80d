import { type Crumb, paths } from "@konomana/paths";
import { Link } from "react-router";
import { classes } from "../layout/classes";
import { Group } from "../layout/Group";
import styles from "./Breadcrumbs.module.css";

/**
 * The breadcrumbs of a page. The front page is added at the start; the last item is the page
 * itself.
 */
export function Breadcrumbs({ crumbs }: { crumbs: readonly Crumb[] }) {
  return (
    <nav
      className={classes("kn-container", styles.crumbs)}
      data-screen-only
      aria-label="パンくずリスト"
    >
      <Group as="ol" gap="0rem">
        <li>
          <Link to={paths.home()}>トップ</Link>
        </li>
        {crumbs.map(({ label, to }, index) => (
          <li key={to}>
            {index === crumbs.length - 1 ? (
              <span aria-current="page">{label}</span>
            ) : (
              <Link to={to}>{label}</Link>
            )}
          </li>
        ))}
      </Group>
    </nav>
  );
}
