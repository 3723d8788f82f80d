import { Head, Stack, Grid, Panel, Container, Tag } from "@konomana/ui-base";
import type { CSSProperties, ReactNode } from "react";
import styles from "./GuidePage.module.css";

/** The colours of a page: its own light ground, and an ink with a contrast of at least 4.5:1 on it. */
const tones = {
  red: { tint: "var(--kn-tint)", ink: "var(--kn-red-9)" },
  sun: { tint: "#fff0d2", ink: "#8f4a00" },
  sky: { tint: "#e3efff", ink: "#1c56b8" },
  leaf: { tint: "#ddf6ec", ink: "#0a6b55" },
  violet: { tint: "#efe9ff", ink: "#6038c2" },
} as const;

interface GuidePageProps {
  /** The page's title in the browser. */
  title: string;
  /** One or two sentences for search results. */
  description: string;
  tone?: keyof typeof tones;
  /** A word or two above the heading: for whom it is. */
  eyebrow?: string;
  heading: ReactNode;
  lead: ReactNode;
  /** The one thing to do, at once. */
  action?: ReactNode;
  /** A picture that says nothing the text does not say. */
  art?: ReactNode;
  children: ReactNode;
}

/** A page that explains something: what it is about and the one thing to do, then section by section. */
export function GuidePage(props: GuidePageProps) {
  const { title, description, tone = "red", eyebrow, heading, lead, action, art, children } = props;
  const { tint, ink } = tones[tone];
  return (
    <div style={{ "--subject-tint": tint, "--subject-ink": ink } as CSSProperties}>
      <Head title={title} description={description} />
      <div className={styles.hero}>
        <Container className={art === undefined ? styles.inner : `kn-columns ${styles.inner}`}>
          <Stack align="start">
            {eyebrow !== undefined && <Tag variant="white">{eyebrow}</Tag>}
            <h1>{heading}</h1>
            <p className="kn-lead">{lead}</p>
            {action}
          </Stack>
          {art !== undefined && (
            <div className={styles.art} data-screen-only>
              {art}
            </div>
          )}
        </Container>
      </div>
      {children}
    </div>
  );
}

/** A part of the page under its own heading. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Container as="section" className={`kn-text ${styles.section}`}>
      <h2>{title}</h2>
      {children}
    </Container>
  );
}

/** Something with a heading and a few words. */
export interface Point {
  readonly title: string;
  readonly text: ReactNode;
}

/** Points side by side, in no order. */
export function Cards({ points }: { points: readonly Point[] }) {
  return (
    <Grid as="ul" min="15rem" fill>
      {points.map(({ title, text }) => (
        <Panel key={title} as="li" variant="raised" gap="0.5rem">
          <h3>{title}</h3>
          <p className="kn-small">{text}</p>
        </Panel>
      ))}
    </Grid>
  );
}

/** Points that follow one another. */
export function Steps({ points }: { points: readonly Point[] }) {
  return (
    <Stack as="ol" gap="sm" className="kn-numbered">
      {points.map(({ title, text }) => (
        <Panel key={title} as="li" variant="raised" className="kn-row">
          <div className="kn-grow">
            <h3>{title}</h3>
            <p className="kn-small">{text}</p>
          </div>
        </Panel>
      ))}
    </Stack>
  );
}

/** What is what, line by line. */
export function Facts({ points }: { points: readonly Point[] }) {
  return (
    <dl className="kn-facts" data-ruled>
      {points.map(({ title, text }) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What must not be missed. */
export function Note({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Panel gap="0.5rem" className="kn-edge">
      <strong>{title}</strong>
      {children}
    </Panel>
  );
}

/** The end of a page: the one thing to do, once more. */
export function Call({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack as="section" align="center" className={`kn-center ${styles.call}`} data-screen-only>
      <h2>{title}</h2>
      {children}
    </Stack>
  );
}
