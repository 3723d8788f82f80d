import { Button, ButtonLink, Group, Panel, showMessage, Text } from "@konomana/ui-base";
import { useEffect, useRef, useState } from "react";
import styles from "./calendar.module.css";

/** A new address, with the ways to bring it into a calendar app. */
export function NewAddress({ url }: { url: string }) {
  const output = useRef<HTMLOutputElement>(null);
  // The button that made the address may be gone, so the focus moves to the address.
  useEffect(() => output.current?.focus(), []);
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url);
      setCopied(true);
    } catch {
      showMessage("コピーできませんでした。アドレスを選んで、コピーしてください。");
    }
  };
  return (
    <Panel variant="tint" pad="1rem 1.25rem" gap="sm">
      <output ref={output} tabIndex={-1} className={styles.address} aria-label="新しいアドレス">
        {url}
      </output>
      <Group gap="sm">
        <ButtonLink to={url.replace(/^https?:/, "webcal:")}>カレンダーのアプリで開く</ButtonLink>
        <Button variant="default" onClick={() => void copy()}>
          {copied ? "コピーしました" : "アドレスをコピー"}
        </Button>
      </Group>
      <Text size="sm">
        アプリが開かないときは、アドレスをコピーして、カレンダーの「URLで追加」や「照会カレンダーを追加」に貼り付けてください。この画面を閉じると、アドレスはもう表示されません。
      </Text>
    </Panel>
  );
}
