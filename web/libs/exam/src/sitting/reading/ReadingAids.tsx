import { useStore } from "@konomana/browser";
import { Checkbox } from "@konomana/ui-base";
import { readingAids, setReadingAids, textSizes } from "./readingAids";
import styles from "./readingAids.module.css";

const names: Readonly<Record<(typeof textSizes)[number], string>> = {
  100: "標準",
  125: "大きい",
  150: "とても大きい",
};

/** The size of the text and its contrast. */
export function ReadingAids() {
  const { size, contrast } = useStore(readingAids);
  return (
    <details className={styles.aids}>
      <summary>文字の大きさと色</summary>
      <fieldset className={styles.sizes}>
        <legend>文字の大きさ</legend>
        {textSizes.map((one) => (
          <label key={one} className={styles.size}>
            <input
              type="radio"
              name="text-size"
              checked={one === size}
              onChange={() => setReadingAids({ size: one })}
            />
            {names[one]}
          </label>
        ))}
      </fieldset>
      <Checkbox
        label="白黒をはっきりさせる"
        checked={contrast}
        onChange={(event) => setReadingAids({ contrast: event.currentTarget.checked })}
      />
    </details>
  );
}
