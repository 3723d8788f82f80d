import { CloseButton, formatDateTime, Group, TextLink } from "@konomana/ui-base";
import type { MaintenanceWindow } from "./maintenanceApi";
import { consequence } from "./consequence";
import styles from "./WindowNotice.module.css";

interface WindowNoticeProps {
  window: MaintenanceWindow;
  onClose: () => void;
}

/** A planned maintenance window: its time, and what is unavailable meanwhile. */
export function WindowNotice({ window, onClose }: WindowNoticeProps) {
  const { title, starts_at, ends_at, status_url } = window;
  return (
    <Group
      as="section"
      gap="0.5rem"
      align="start"
      nowrap
      className={`kn-column ${styles.notice}`}
      aria-label="メンテナンスの予告"
    >
      <div className={`kn-grow kn-small ${styles.words}`}>
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
