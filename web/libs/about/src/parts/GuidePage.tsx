import { Head, Stack, Grid, Panel, Container, Tag } from "@konomana/ui-base";
import type { CSSProperties, ReactNode } from "react";
import styles from "./GuidePage.module.css";

/**
 * The colours of a page: a light background and a text colour with a contrast of at least 4.5:1 on
 * it.
 */
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
  /** One or two words above the heading that name the audience. */
  eyebrow?: string;
  heading: ReactNode;
  lead: ReactNode;
  /** The page's main action, shown at the top. */
  action?: ReactNode;
  /** A decorative picture. */
  art?: ReactNode;
  children: ReactNode;
}

/** A page that explains something: the subject and the main action first, then the sections. */
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

/** A section with its own heading. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Container as="section" className={`kn-text ${styles.section}`}>
      <h2>{title}</h2>
      {children}
    </Container>
  );
}

/** A heading with a short text. */
export interface Point {
  readonly title: string;
  readonly text: ReactNode;
}

/** Unordered points side by side. */
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

/** Ordered points. */
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

/** Terms with their explanations. */
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

/** An important note. */
export function Note({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Panel gap="0.5rem" className="kn-edge">
      <strong>{title}</strong>
      {children}
    </Panel>
  );
}

/** The end of a page: repeats the main action. */
export function Call({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack as="section" align="center" className={`kn-center ${styles.call}`} data-screen-only>
      <h2>{title}</h2>
      {children}
    </Stack>
  );
}
