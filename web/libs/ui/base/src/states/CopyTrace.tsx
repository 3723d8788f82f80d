import { useState } from "react";
import { Button } from "../button/Button";
import { Group } from "../layout/Group";
import { Note } from "../text/Note";

/** The trace id for support, with a button that copies it. */
export function CopyTrace({ traceId }: { traceId: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(traceId);
    setCopied(true);
  };
  return (
    <Group justify="center" gap="0.25rem 0.75rem">
      <Note as="span" size="xs">
        お問い合わせ番号 <code>{traceId}</code>
      </Note>
      <Button pill variant="default" onClick={() => void copy()}>
        <span aria-live="polite">{copied ? "コピーしました" : "番号をコピー"}</span>
      </Button>
    </Group>
  );
}
