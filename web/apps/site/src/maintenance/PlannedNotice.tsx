import type { MaintenanceWindow } from "./maintenanceApi";
import { maintenanceQuery } from "./maintenanceApi";
import { paths } from "@konomana/paths";
import { CloseButton, formatDateTime, Group, TextLink } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "react-router";
import { useNow } from "../shell/useNow";
import styles from "./PlannedNotice.module.css";
import { announced, consequence, putAway, readSeen } from "./planned";

/** Windows are planned hours ahead: a tab that stays open need not ask often. */
const ASK_MS = 10 * 60_000;
/** It goes away when the window begins, to the minute. */
const LOOK_MS = 60_000;

const none: readonly MaintenanceWindow[] = [];

/**
 * Says that the site, or a part of it, will be closed within a day. It lies over the page, at its lower
 * edge: nothing moves when it comes or goes.
 */
export function PlannedNotice() {
  const { data } = useQuery({ ...maintenanceQuery, staleTime: ASK_MS, refetchInterval: ASK_MS });
  const { pathname } = useLocation();
  const [seen, setSeen] = useState<readonly string[] | null>(null);
  const now = useNow(LOOK_MS);
  const windows = data?.windows ?? none;
  // The storage is asked only where there is something to tell, so never while prerendering.
  const window = windows.length === 0 ? null : announced(windows, seen ?? readSeen(), now);
  // The region is always there, so that what appears in it is heard.
  return (
    <div role="status" className={styles.place}>
      {window !== null && pathname !== paths.maintenance() && (
        <Notice window={window} onClose={() => setSeen(putAway(window, windows))} />
      )}
    </div>
  );
}

function Notice({ window, onClose }: { window: MaintenanceWindow; onClose: () => void }) {
  const { title, starts_at, ends_at, status_url } = window;
  return (
    <Group
      as="section"
      gap="0.5rem"
      align="start"
      nowrap
      className={styles.notice}
      aria-label="メンテナンスの予告"
    >
      <div className={styles.words}>
        <strong>{title}</strong>
        <p>
          {starts_at !== null && <time dateTime={starts_at}>{formatDateTime(starts_at)}</time>}から
          {ends_at === null ? (
            "、"
          ) : (
            <>
              <time dateTime={ends_at}>{formatDateTime(ends_at)}</time>まで、
            </>
          )}
          {consequence(window)}
        </p>
        {status_url !== null && <TextLink to={status_url}>くわしく見る</TextLink>}
      </div>
      <CloseButton aria-label="予告を閉じる" onClick={onClose} />
    </Group>
  );
}
