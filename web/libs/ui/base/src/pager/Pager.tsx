import { Link } from "react-router";
import { Button } from "../button/Button";
import { classes } from "../layout/classes";
import { Text } from "../text/Text";
import { numbersAround } from "./numbers";
import styles from "./Pager.module.css";

interface PagerProps {
  /** The page that is shown, from 1. */
  page: number;
  /** How many pages there are. */
  pages: number;
  /** The address of a page. */
  hrefFor: (page: number) => string;
}

/** Links to the pages of a list; nothing where there is one page only. */
export function Pager({ page, pages, hrefFor }: PagerProps) {
  if (pages <= 1) return null;
  return (
    <nav className={styles.pager} aria-label="ページ">
      <Step to={page > 1 ? hrefFor(page - 1) : null} rel="prev">
        前へ
      </Step>
      <ul className={styles.numbers}>
        {numbersAround(page, pages).map((item, index) => (
          <li key={item ?? `gap-${index}`}>
            {item === null ? (
              <span aria-hidden="true">…</span>
            ) : (
              <Link
                className={styles.number}
                to={hrefFor(item)}
                aria-label={`${item}ページ`}
                aria-current={item === page ? "page" : undefined}
              >
                {item}
              </Link>
            )}
          </li>
        ))}
      </ul>
      <Step to={page < pages ? hrefFor(page + 1) : null} rel="next">
        次へ
      </Step>
    </nav>
  );
}

interface StepPagerProps {
  page: number;
  pages: number;
  /** Opens the page before; null on the first. */
  onPrevious: (() => void) | null;
  /** Opens the page after; null on the last. */
  onNext: (() => void) | null;
}

/** 前へ and 次へ for a list whose pages the server links; nothing where there is one page only. */
export function StepPager({ page, pages, onPrevious, onNext }: StepPagerProps) {
  if (pages <= 1) return null;
  return (
    <nav className={classes(styles.pager, styles.steps)} aria-label="ページ">
      <Turn label="前へ" onClick={onPrevious} />
      <Text aria-live="polite" bold>
        {page} / {pages}ページ
      </Text>
      <Turn label="次へ" onClick={onNext} />
    </nav>
  );
}

/** At either end the button stays, says that it leads nowhere, and keeps the focus. */
function Turn({ label, onClick }: { label: string; onClick: (() => void) | null }) {
  return (
    <Button variant="default" busy={onClick === null} onClick={() => onClick?.()}>
      {label}
    </Button>
  );
}

function Step({ to, rel, children }: { to: string | null; rel: string; children: string }) {
  return to === null ? (
    <span className={styles.step} data-off>
      {children}
    </span>
  ) : (
    <Link className={styles.step} to={to} rel={rel}>
      {children}
    </Link>
  );
}
