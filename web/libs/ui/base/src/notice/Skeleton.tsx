import styles from "./notice.module.css";

interface SkeletonProps {
  height: number | string;
  width?: number | string;
}

/** A block in the place of what is loading; nothing is said. */
export function Skeleton({ height, width }: SkeletonProps) {
  return <div className={styles.skeleton} style={{ height, width }} aria-hidden="true" />;
}
