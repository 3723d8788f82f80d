import { Text } from "@konomana/ui-base";
import type { Place } from "../protocol/sittingState";
import styles from "./questions.module.css";

const words: Readonly<Record<Place, string>> = {
  writing: "保存しています…",
  device: "端末に保存",
  page: "この画面だけにあります",
  server: "保存済み",
  late: "時間を過ぎた答えは保存されません",
  replaced: "ほかの端末の新しい答えが保存されています",
  invalid: "この答えは保存できません。短くするか、書き直してください",
};

interface PlaceTextProps {
  place: Place | null;
  isBlank: boolean;
}

/** Shows whether the answer of one question is saved. */
export function PlaceText({ place, isBlank }: PlaceTextProps) {
  return (
    <Text
      size="sm"
      bold={place !== null}
      role="status"
      aria-label="この答えの保存"
      className={styles.place}
      data-place={place ?? undefined}
    >
      {place === null ? isBlank && "まだ答えていません" : words[place]}
    </Text>
  );
}
