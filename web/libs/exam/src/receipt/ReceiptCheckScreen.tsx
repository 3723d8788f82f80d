import { useBrowserValue } from "@konomana/browser";
import { QueryBoundary } from "@konomana/query";
import {
  FileInput,
  LoadingState,
  Note,
  Page,
  Stack,
  Text,
  TextLink,
  TitledPanel,
} from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { useId, useMemo, useState } from "react";
import { useLocation } from "react-router";
import { receiptKeysQuery } from "../api";
import { ReceiptCheckOutcome } from "./ReceiptCheckOutcome";
import type { GivenReceipt } from "./checkReceipt";
import { receiptOfFile, receiptOfLink } from "./givenReceipt";
import styles from "./ReceiptCheckScreen.module.css";

/** A value that is not a receipt. Its check reports that. */
const FOREIGN: GivenReceipt = { receipt: "" };

/** /konomoshi/receipt: checks whether a receipt is genuine. It works offline once it is open. */
export function ReceiptCheckScreen() {
  const keys = useQuery(receiptKeysQuery);
  const linked = useLinkedReceipt();
  const [chosen, setChosen] = useState<{ given: GivenReceipt; instead: typeof linked } | null>(
    null,
  );
  // A link that is opened after a file was chosen replaces the file.
  const given = chosen?.instead === linked ? chosen.given : linked;
  const choose = async (file: File) =>
    setChosen({ given: (await receiptOfFile(file)) ?? FOREIGN, instead: linked });
  return (
    <Page
      title="提出証明を確かめる"
      description="コノ模試の提出証明が本物かどうかを、ファイルまたはQRコードから確かめるページです。どなたでも、登録なしでお使いいただけます。"
      lead="コノ模試の答えを提出すると、「提出証明」のファイルとQRコードを保存できます。このページでは、それが本物かどうかを、どなたでも確かめられます。"
      narrow
    >
      <Stack gap="lg">
        <FileDrop onChosen={(file) => void choose(file)} />
        {given !== null && (
          <QueryBoundary query={keys} loading={<LoadingState rows={1} height="6rem" />} part>
            {(known) => <ReceiptCheckOutcome given={given} keys={known} />}
          </QueryBoundary>
        )}
        <About />
      </Stack>
    </Page>
  );
}

/** The receipt in the URL fragment. The prerendered page has none. */
function useLinkedReceipt(): GivenReceipt | null {
  const { hash } = useLocation();
  const link = useBrowserValue(() => hash);
  return useMemo(() => (link === null ? null : receiptOfLink(link)), [link]);
}

/** File input that also accepts a dropped file. */
function FileDrop({ onChosen }: { onChosen: (file: File) => void }) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  return (
    <div
      className={isOver ? `${styles.drop} ${styles.over}` : styles.drop}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const [file] = event.dataTransfer.files;
        if (file !== undefined) onChosen(file);
      }}
    >
      <FileInput
        id={id}
        label="ファイルを選ぶ"
        accept=".json,application/json"
        aria-label="提出証明のファイル"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file !== undefined) onChosen(file);
          // Allows the same file to be chosen again.
          currentTarget.value = "";
        }}
      />
      <Note>
        ファイルをここにドラッグしても確かめられます。QRコードは、読み取るとこのページが開きます。
      </Note>
    </div>
  );
}

function About() {
  return (
    <TitledPanel title="このページのしくみ" gap="sm">
      <Text>
        提出証明には、模試と教科の名前、提出した時刻、問題ごとの答えのしるし（ダイジェスト）と、サーバーが答えを受け取った時刻が入っています。受けた人の名前は入っていません。
      </Text>
      <Text>
        確かめる計算は、あなたの端末の中だけで行います。ファイルもQRコードの中身も、どこにも送られません。このページを一度開いておけば、通信が切れていても確かめられます。
      </Text>
      <Text>
        署名の方式はEd25519です。公開鍵は
        <TextLink inline reloadDocument to="/api/exam/receipt-keys/">
          コノマナの公開鍵
        </TextLink>
        で公開しています。
      </Text>
    </TitledPanel>
  );
}
