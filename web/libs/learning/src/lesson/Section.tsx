import { Title } from "@konomana/ui-base";
import { useId, type ReactNode } from "react";
import styles from "./lesson.module.css";

interface SectionProps {
  title: string;
  children: ReactNode;
}

/** One part of a lesson's page. It loads and fails by itself. */
export function Section({ title, children }: SectionProps) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <Title order={2} size="h4" id={id} mb="xs">
        {title}
      </Title>
      {children}
    </section>
  );
}
