import type { User } from "@konomana/api";
import { paths } from "@konomana/paths";
import { hasScope, useSession } from "@konomana/session";
import { Badge, Head, Title } from "@konomana/ui";
import { Link } from "react-router";
import styles from "./overview.module.css";

interface Entry {
  to: string;
  title: string;
  /** What is set, or what can be done there. */
  text: string;
  /** What is missing, in a word or two. */
  missing?: string | undefined;
}

/** /mypage/settings: everything that can be settled, what is set and what is missing. */
export function Component() {
  const { user } = useSession();
  return (
    <div className={styles.page}>
      <Head title="設定" />
      <Title order={1} size="h2">
        設定
      </Title>
      {user && (
        <ul className={styles.entries}>
          {entriesOf(user).map((entry) => (
            <li key={entry.to} className={styles.entry}>
              <div>
                <Link className={styles.link} to={entry.to}>
                  {entry.title}
                </Link>
                <p className={styles.text}>{entry.text}</p>
              </div>
              {entry.missing !== undefined && (
                <Badge color="red.8" size="lg">
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

function entriesOf(user: User): Entry[] {
  const learner = hasScope(user, "learner");
  return [
    {
      to: paths.settingsDevices(),
      title: "ログイン中の端末",
      text: "どの端末でログインしているかを確かめて、ログアウトさせることができます。",
    },
    ...(learner
      ? [
          {
            to: paths.settingsGuardian(),
            title: "保護者とのつながり",
            text: "保護者の方に、学習の進みぐあいを見てもらえます。",
          },
        ]
      : []),
    {
      to: paths.settingsClose(),
      title: "データと退会",
      text: "自分のデータのダウンロードと、退会の手続きができます。",
    },
  ];
}
