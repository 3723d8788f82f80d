import type { InventoryItem } from "@konomana/api";
import { paths } from "@konomana/paths";
import { Badge, Title } from "@konomana/ui";
import { useState } from "react";
import { Link } from "react-router";
import { Expiry } from "../parts/ItemBadges";
import { expiringSoon } from "../parts/progress";
import styles from "./home.module.css";

/** How many days before its end a course is named here. */
const SOON_DAYS = 30;

/** Courses that end soon and are not renewed by themselves; nothing where there are none. */
export function ExpiringSoon({ items }: { items: readonly InventoryItem[] }) {
  const [now] = useState(Date.now);
  const soon = expiringSoon(items, SOON_DAYS, now);
  if (soon.length === 0) return null;
  return (
    <section className={styles.panel} aria-labelledby="soon">
      <Title order={2} size="h4" id="soon" mb="xs">
        もうすぐ期限が切れる講座
      </Title>
      <ul className={styles.lines}>
        {soon.map(({ item, left }) => (
          <li key={item.id} className={styles.line}>
            <div>
              <Link className={styles.name} to={paths.learning(item.id)}>
                {item.course.name}
              </Link>
              <Expiry item={item} />
            </div>
            <Badge className={styles.left} variant="outline" color="red.8" size="lg">
              あと{left}日
            </Badge>
          </li>
        ))}
      </ul>
    </section>
  );
}
