import { Head, Panel, Title, Stack, Note } from "@konomana/ui-base";
import { KitProvider } from "@konomana/ui-kit";
import { type ReactNode, useEffect, useRef } from "react";
import styles from "./EntryPage.module.css";

interface EntryPageProps {
  title: string;
  /** How far along the way this screen is, as in 「ステップ 1 / 3」. */
  step?: string;
  /** For screens that ask for more than two or three things. */
  wide?: boolean;
  /**
   * For what takes the place of another screen at the same address: the focus, which was on something that is gone,
   * goes to the heading, and the heading comes into view.
   */
  takesFocus?: boolean;
  children: ReactNode;
  /** Where else to go, below everything. */
  links?: ReactNode;
}

/** A screen on the way into an account: one card with one heading. */
export function EntryPage(props: EntryPageProps) {
  const { title, step, wide = false, takesFocus = false, children, links } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [takesFocus]);
  return (
    <KitProvider>
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
    </KitProvider>
  );
}
