import { useStore } from "@konomana/browser";
import { Checkbox, Group, Panel } from "@konomana/ui-base";
import { readingAids, setReadingAids, textSizes } from "./readingAids";

const names: Readonly<Record<(typeof textSizes)[number], string>> = {
  100: "標準",
  125: "大きい",
  150: "とても大きい",
};

/** Settings for text size and contrast. */
export function ReadingAids() {
  const { size, contrast } = useStore(readingAids);
  return (
    <Panel as="details" pad="0.25rem 1rem">
      <summary className="kn-fold">文字の大きさと色</summary>
      <fieldset>
        <legend>文字の大きさ</legend>
        <Group gap="0.25rem">
          {textSizes.map((one) => (
            <label key={one} className="kn-option">
              <input
                type="radio"
                name="text-size"
                checked={one === size}
                onChange={() => setReadingAids({ size: one })}
              />
              {names[one]}
            </label>
          ))}
        </Group>
      </fieldset>
      <Checkbox
        label="白黒をはっきりさせる"
        checked={contrast}
        onChange={(event) => setReadingAids({ contrast: event.currentTarget.checked })}
      />
    </Panel>
  );
}
