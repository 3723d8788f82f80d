import { Alert, Button, Group, Note, Text, TitledPanel } from "@konomana/ui-base";
import { useMutation } from "@tanstack/react-query";
import { useId, useState } from "react";
import { playTones } from "./tone";

/** Possible numbers of tones. There are several, so the number can't be guessed. */
const COUNTS = [2, 3, 4];

interface SoundQuestionProps {
  /** Whether the tones were heard. `null` until it is answered. */
  heard: boolean | null;
  onAnswer: (heard: boolean | null) => void;
}

/** Plays tones and asks how many there were. */
export function SoundQuestion({ heard, onAnswer }: SoundQuestionProps) {
  const question = useId();
  const [count] = useState(() => COUNTS[Math.floor(Math.random() * COUNTS.length)] ?? 3);
  const playing = useMutation({ mutationFn: () => playTones(count) });
  const play = () => {
    onAnswer(null);
    playing.mutate();
  };
  return (
    <TitledPanel title="音" gap="md">
      <Text>
        「音を鳴らす」を押すと、ピッという音が何回か鳴ります。リスニングのある模試で使います。
      </Text>
      <Note>この模試は、音を使わずに受けられます。確かめなくてもかまいません。</Note>
      <Group>
        <Button variant="default" busy={playing.isPending} onClick={play}>
          {playing.isPending ? "鳴らしています…" : "音を鳴らす"}
        </Button>
      </Group>
      {playing.isError && (
        <Alert color="blue">
          このブラウザでは音を鳴らせませんでした。この模試は、このまま受けられます。
        </Alert>
      )}
      {(playing.isSuccess || playing.isError) && (
        <div role="group" aria-labelledby={question}>
          <Text bold id={question} mb="xs">
            音は何回鳴りましたか？
          </Text>
          <Group gap="sm">
            {COUNTS.map((answer) => (
              <Button key={answer} variant="default" onClick={() => onAnswer(answer === count)}>
                {answer}回
              </Button>
            ))}
            <Button variant="default" onClick={() => onAnswer(false)}>
              聞こえない
            </Button>
          </Group>
        </div>
      )}
      <div role="status">
        {heard === true && <Text bold>音が聞こえています。</Text>}
        {heard === false && (
          <>
            <Text bold>音がうまく聞こえていないようです。この模試は、このまま受けられます。</Text>
            <Note>
              聞こえるようにするには、音量を上げ、消音をやめ、イヤホンがささっているか確かめて、もう一度「音を鳴らす」を押してください。
            </Note>
          </>
        )}
      </div>
    </TitledPanel>
  );
}
