import { addressQuery } from "../api";
import { useSession } from "@konomana/session";
import { Badge, Head, Title } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { entriesOf } from "./entries";
import styles from "./overview.module.css";

/** /mypage/settings: everything that can be settled, what is set and what is missing. */
export function Component() {
  const { user } = useSession();
  const { data: address } = useQuery(addressQuery);
  return (
    <div className={styles.page}>
      <Head title="設定" />
      <Title order={1} size="h2">
        設定
      </Title>
      {user && (
        <ul className={styles.entries}>
          {entriesOf(user, address).map((entry) => (
            <li key={entry.to} className={styles.entry}>
              <div>
                <Link className={styles.link} to={entry.to}>
                  {entry.title}
                </Link>
                <p className={styles.text}>{entry.text}</p>
              </div>
              {entry.missing !== undefined && (
                <Badge color="red" variant={entry.urgent ? "filled" : "outline"} size="lg">
                  {entry.missing}
                </Badge>
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
