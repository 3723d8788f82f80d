import type { ReactNode } from "react";
import { paths } from "@konomana/paths";
import { Button } from "../button/Button";
import { ButtonLink } from "../button/ButtonLink";
import { Group } from "../layout/Group";
import { CopyTrace } from "./CopyTrace";
import styles from "./states.module.css";

/** The heading level of a state: 1 for a whole screen, 2 inside one. */
interface HeadingLevel {
  level?: 1 | 2;
}

interface EmptyStateProps extends HeadingLevel {
  title: string;
  /** A suggestion what to do next. */
  children?: ReactNode;
  /** A button or link for it. */
  action?: ReactNode;
}

/** A message for an empty list, with a suggestion what to do next. */
export function EmptyState({ title, children, action, level = 2 }: EmptyStateProps) {
  const Heading = `h${level}` as const;
  return (
    <div className={styles.state}>
      <Heading>{title}</Heading>
      {children !== undefined && <p className={styles.text}>{children}</p>}
      {action !== undefined && (
        <Group justify="center" gap="sm">
          {action}
        </Group>
      )}
    </div>
  );
}

interface ErrorStateProps extends HeadingLevel {
  title?: string;
  /** What happened, as a sentence. */
  sentence: string;
  /** The trace id of the failed call, with which support can find the cause. */
  traceId?: string | undefined;
  onRetry?: (() => void) | undefined;
  /** Whether the retry is running. */
  retrying?: boolean;
  children?: ReactNode;
}

/** An error with a retry button and the trace id for support. */
export function ErrorState({
  title = "表示できませんでした",
  sentence,
  traceId,
  onRetry,
  retrying = false,
  level = 2,
  children,
}: ErrorStateProps) {
  const Heading = `h${level}` as const;
  return (
    <div className={styles.state} role="alert">
      <Heading>{title}</Heading>
      <p className={styles.text}>{sentence}</p>
      <Group justify="center" gap="sm">
        {onRetry !== undefined && (
          <Button pill onClick={onRetry} busy={retrying}>
            もう一度試す
          </Button>
        )}
        {children}
      </Group>
      {traceId !== undefined && traceId !== "" && <CopyTrace traceId={traceId} />}
    </div>
  );
}

/** The not-found page, with the texts of the specification, §2. */
export function NotFoundContent() {
  return (
    <div className={styles.state}>
      <h1 className={styles.code}>not found</h1>
      <p className={styles.text}>
        ページがみつかりません。一時的にアクセスできない状況にあるか、移動もしくは削除された可能性があります。
      </p>
      <Group justify="center" gap="sm">
        <ButtonLink pill size="lg" to={paths.home()}>
          TOPへ
        </ButtonLink>
      </Group>
    </div>
  );
}
