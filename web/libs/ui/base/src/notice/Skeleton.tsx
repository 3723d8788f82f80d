import styles from "./notice.module.css";

interface SkeletonProps {
  height: number | string;
  width?: number | string;
}

/** A placeholder for loading content, without text. */
export function Skeleton({ height, width }: SkeletonProps) {
  return <div className={styles.skeleton} style={{ height, width }} aria-hidden="true" />;
}
