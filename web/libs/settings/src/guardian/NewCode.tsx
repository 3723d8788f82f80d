import { sentenceOf } from "@konomana/http";
import { settings, type GuardianCode } from "../api";
import { Alert, Button, formatDateTime, Group, Text, Panel } from "@konomana/ui-base";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";

/** The maximum number of guardians of a learner. */
const MOST_GUARDIANS = 4;

/**
 * Creates the code that a guardian enters on their own page. It is shown once and not stored in the
 * browser.
 */
export function NewCode({ guardians }: { guardians: number }) {
  const making = useMutation({
    mutationFn: () => settings.newGuardianCode(),
  });
  if (guardians >= MOST_GUARDIANS)
    return (
      <Text>
        つながれる保護者は{MOST_GUARDIANS}人までです。新しくつながるには、だれかを解除してください。
      </Text>
    );
  return (
    <>
      <Text>
        コードを発行して、保護者の方に伝えてください。保護者の方がご自分のマイページで入力すると、つながります。あなたが18歳未満のときは、つながると、保護者の方が利用と購入に同意したことになります。
      </Text>
      <div aria-live="polite">{making.data && <Code made={making.data} />}</div>
      {making.isError && <Alert color="red">{sentenceOf(making.error)}</Alert>}
      <Group gap="sm">
        <Button
          variant={making.data ? "default" : "filled"}
          onClick={() => making.mutate()}
          aria-disabled={making.isPending}
        >
          {making.data ? "新しいコードにする" : "コードを発行する"}
        </Button>
        {making.data && (
          <Text size="sm" dimmed>
            新しくすると、前のコードは使えなくなります。
          </Text>
        )}
      </Group>
    </>
  );
}

function Code({ made: { code, expires_at } }: { made: GuardianCode }) {
  const [copied, setCopied] = useState<string | null>(null);
  const copy = async () => {
    await navigator.clipboard.writeText(code);
    setCopied(code);
  };
  return (
    <Panel variant="tint" pad="1rem 1.25rem">
      <Group gap="0.5rem 1rem">
        <output className="kn-figure kn-code kn-nowrap" aria-label="コード">
          {code}
        </output>
        <Button variant="light" onClick={() => void copy()}>
          {copied === code ? "コピーしました" : "コードをコピー"}
        </Button>
        <Text size="sm">
          {formatDateTime(expires_at)}
          まで、1回だけ使えます。この画面を閉じると、もう表示されません。
        </Text>
      </Group>
    </Panel>
  );
}
