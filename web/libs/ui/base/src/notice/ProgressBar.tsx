import styles from "./notice.module.css";

interface ProgressBarProps {
  /** What is measured. */
  label: string;
  /** From 0 to 100. */
  value: number;
  /** The value in words, where the percentage says too little. */
  valueText?: string;
  color?: "red" | "teal";
  size?: "sm" | "md" | "lg";
}

/** How much of something is done. */
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
