import { useNewest } from "@konomana/calls";
import { paths } from "@konomana/paths";
import { ButtonLink, formatDate, Prose, Group } from "@konomana/ui-base";
import { Link, useLoaderData } from "react-router";
import type { Neighbour, NoticeData } from "../data/lists";
import { newest } from "../data/deskSource";
import { Page } from "../parts/Page";
import { Tag } from "../parts/Tag";
import styles from "./NoticeScreen.module.css";

/** /notice/{id}: one notice, and the way to those before and after it. */
export function NoticeScreen() {
  const loaded = useLoaderData<NoticeData>();
  const { id } = loaded.notice;
  const { notice, newer, older } = useNewest(["notice", id], loaded, (signal) =>
    newest.notice(id, signal),
  );
  const changed = formatDate(notice.modified_at);
  const published = formatDate(notice.published_at);
  return (
    <Page
      title={notice.title}
      description={notice.summary}
      narrow
      above={
        <Group as="p" gap="0.25rem 0.625rem" className={styles.facts}>
          <Tag>{notice.category}</Tag>
          <time dateTime={notice.published_at}>{published}</time>
          {Date.parse(notice.modified_at) > Date.parse(notice.published_at) &&
            changed !== published && (
              <span>
                （<time dateTime={notice.modified_at}>{changed}</time>に更新）
              </span>
            )}
        </Group>
      }
    >
      <Prose text={notice.body} />
      <nav className={styles.ways} aria-label="ほかのお知らせ">
        <Way to={older} rel="prev">
          前のお知らせ
        </Way>
        <Way to={newer} rel="next">
          次のお知らせ
        </Way>
        <ButtonLink pill to={paths.notices()} variant="default">
          お知らせの一覧へ
        </ButtonLink>
      </nav>
    </Page>
  );
}

function Way({ to, rel, children }: { to: Neighbour | null; rel: string; children: string }) {
  if (to === null) return null;
  return (
    <Link className={styles.way} to={paths.notice(to.id)} rel={rel} data-rel={rel}>
      <span>{children}</span>
      {to.title}
    </Link>
  );
}
