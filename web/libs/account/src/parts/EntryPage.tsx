import { Head, Panel, Title, Stack, Note } from "@konomana/ui-base";
import { type ReactNode, useEffect, useRef } from "react";
import styles from "./EntryPage.module.css";

interface EntryPageProps {
  title: string;
  /** Progress through the steps, e.g. 「ステップ 1 / 3」. */
  step?: string;
  /** For screens with more than three fields. */
  wide?: boolean;
  /**
   * For content that replaces another screen at the same address. The focused element is gone, so
   * the focus moves to the heading and the heading scrolls into view.
   */
  takesFocus?: boolean;
  children: ReactNode;
  /** Links to other screens, below everything else. */
  links?: ReactNode;
}

/** Layout of the sign-up and sign-in screens: one card with one heading. */
export function EntryPage(props: EntryPageProps) {
  const { title, step, wide = false, takesFocus = false, children, links } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [takesFocus]);
  return (
    <div className={styles.page}>
      <Head title={title} />
      <Panel
        variant="raised"
        pad="lg"
        gap="1.5rem"
        className={styles.card}
        data-wide={wide || undefined}
      >
        <div className="kn-center">
          {step !== undefined && <Note>{step}</Note>}
          <Title ref={heading} tabIndex={-1} order={1} size="h2">
            {title}
          </Title>
        </div>
        {children}
        {links !== undefined && (
          <Stack gap="0.25rem" align="center" className="kn-ruled kn-center">
            {links}
          </Stack>
        )}
      </Panel>
    </div>
  );
}
