import { Note, TitledPanel } from "@konomana/ui-base";
import { Radio, RadioGroup } from "@konomana/ui-kit";

interface QuietQuestionProps {
  /** `null` until it is answered. */
  quiet: boolean | null;
  onAnswer: (quiet: boolean) => void;
}

/** Asks whether the learner has a quiet place. */
export function QuietQuestion({ quiet, onAnswer }: QuietQuestionProps) {
  return (
    <TitledPanel title="場所" gap="md">
      <RadioGroup
        label="静かで、机の上を片づけられる場所で受けられますか？"
        value={quiet === null ? "" : quiet ? "yes" : "no"}
        onChange={(value) => onAnswer(value === "yes")}
      >
        <Radio value="yes" label="はい" />
        <Radio value="no" label="いいえ" />
      </RadioGroup>
      {quiet === false && (
        <Note role="status">
          このままでも受けられます。試験の日までに、家の人に試験の時間を伝えて、静かな部屋を決めておきましょう。
        </Note>
      )}
    </TitledPanel>
  );
}
