import styles from "./notice.module.css";

interface ProgressBarProps {
  /** The subject of the progress. */
  label: string;
  /** From 0 to 100. */
  value: number;
  /** The value as text, if the percentage is not enough. */
  valueText?: string;
  color?: "red" | "teal";
  size?: "sm" | "md" | "lg";
}

/** A progress bar. */
export function ProgressBar(props: ProgressBarProps) {
  const { label, value, valueText, color = "red", size = "md" } = props;
  return (
    <div
      className={styles.progress}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={value}
      aria-valuetext={valueText}
      data-size={size}
    >
      <div style={{ width: `${value}%` }} data-color={color} />
    </div>
  );
}
