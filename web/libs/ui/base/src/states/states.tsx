import type { ReactNode } from "react";
import { paths } from "@konomana/paths";
import { Button } from "../button/Button";
import { ButtonLink } from "../button/ButtonLink";
import { Group } from "../layout/Group";
import { CopyTrace } from "./CopyTrace";
import styles from "./states.module.css";

/** Which heading a state carries: 1 when it is the whole screen, 2 inside one. */
interface HeadingLevel {
  level?: 1 | 2;
}

interface EmptyStateProps extends HeadingLevel {
  title: string;
  /** What to do next. */
  children?: ReactNode;
  /** The button or link that does it. */
  action?: ReactNode;
}

/** Says that there is nothing yet, and what to do next. */
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
  /** What happened, in plain words. */
  sentence: string;
  /** The name of the failed call's trace; support can follow it to the cause. */
  traceId?: string | undefined;
  onRetry?: (() => void) | undefined;
  /** True while the retry runs. */
  retrying?: boolean;
  children?: ReactNode;
}

/** Says what went wrong, offers to try again, and names the trace to tell to support. */
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

/** The not-found page, in the words of the specification, §2. */
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
