import { Link } from "react-router";
import { Button } from "../button/Button";
import { classes } from "../layout/classes";
import { Group } from "../layout/Group";
import { Text } from "../text/Text";
import { numbersAround } from "./numbers";
import styles from "./Pager.module.css";

interface PagerProps {
  /** The current page, from 1. */
  page: number;
  /** Number of pages. */
  pages: number;
  /** The address of a page. */
  hrefFor: (page: number) => string;
}

/** Links to the pages of a list; nothing if there is only one page. */
export function Pager({ page, pages, hrefFor }: PagerProps) {
  if (pages <= 1) return null;
  return (
    <Group as="nav" gap="0.25rem 0.5rem" justify="center" aria-label="ページ">
      <Step to={page > 1 ? hrefFor(page - 1) : null} rel="prev">
        前へ
      </Step>
      <Group as="ul" gap="0.25rem 0.5rem" justify="center">
        {numbersAround(page, pages).map((item, index) => (
          <li key={item ?? `gap-${index}`}>
            {item === null ? (
              <span aria-hidden="true">…</span>
            ) : (
              <Link
                className={classes("kn-chip kn-bold", styles.number)}
                to={hrefFor(item)}
                aria-label={`${item}ページ`}
                aria-current={item === page ? "page" : undefined}
              >
                {item}
              </Link>
            )}
          </li>
        ))}
      </Group>
      <Step to={page < pages ? hrefFor(page + 1) : null} rel="next">
        次へ
      </Step>
    </Group>
  );
}

interface StepPagerProps {
  page: number;
  pages: number;
  /** Opens the previous page; null on the first. */
  onPrevious: (() => void) | null;
  /** Opens the next page; null on the last. */
  onNext: (() => void) | null;
}

/** 前へ and 次へ for a list that the server pages by links; nothing if there is only one page. */
export function StepPager({ page, pages, onPrevious, onNext }: StepPagerProps) {
  if (pages <= 1) return null;
  return (
    <Group as="nav" gap="0.25rem 0.5rem" justify="center" mt="1.5rem" aria-label="ページ">
      <Turn label="前へ" onClick={onPrevious} />
      <Text aria-live="polite" bold>
        {page} / {pages}ページ
      </Text>
      <Turn label="次へ" onClick={onNext} />
    </Group>
  );
}

/** At either end the button does nothing, but keeps the focus. */
function Turn({ label, onClick }: { label: string; onClick: (() => void) | null }) {
  return (
    <Button variant="default" busy={onClick === null} onClick={() => onClick?.()}>
      {label}
    </Button>
  );
}

function Step({ to, rel, children }: { to: string | null; rel: string; children: string }) {
  return to === null ? (
    <span className="kn-chip kn-bold" style={{ visibility: "hidden" }}>
      {children}
    </span>
  ) : (
    <Link className="kn-chip kn-bold" to={to} rel={rel}>
      {children}
    </Link>
  );
}
