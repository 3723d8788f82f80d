import { paths } from "@konomana/paths";
import { QueryBoundary, SaveFileButton } from "@konomana/query";
import {
  Button,
  Group,
  LoadingState,
  Note,
  Stack,
  Text,
  TextLink,
  TitledPanel,
} from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { receiptQuery, receipts, type SignedReceipt } from "../api";

const QrCode = lazy(() => import("./QrCode").then((code) => ({ default: code.QrCode })));

interface HandedIn {
  /** Id of the sitting. */
  sitting: string;
  subject: string;
}

/** The receipts of papers, each as a file and as a QR code, with a link to the check. */
export function ReceiptPanel({ handedIn }: { handedIn: readonly HandedIn[] }) {
  return (
    <TitledPanel title="提出証明" gap="md">
      <Text>
        いつ、どの答えを提出したかを、コノマナの電子署名で証明します。ファイルには提出した答えが入りますが、名前は入りません。
      </Text>
      {handedIn.map((paper) => (
        <PaperReceipt key={paper.sitting} {...paper} isOnly={handedIn.length === 1} />
      ))}
      <Note>
        ファイルとQRコードが本物かどうかは、だれでも
        <TextLink inline to={paths.receiptCheck()}>
          確かめるページ
        </TextLink>
        で調べられます。
      </Note>
    </TitledPanel>
  );
}

function PaperReceipt({ sitting, subject, isOnly }: HandedIn & { isOnly: boolean }) {
  const [isShown, setShown] = useState(false);
  const of = isOnly ? "" : `${subject}の`;
  return (
    <Stack as="section" gap="sm" aria-label={`${subject}の提出証明`}>
      <Group gap="sm">
        <SaveFileButton
          name={`receipt-${sitting}.json`}
          load={async () => fileOf(await receipts.find(sitting))}
          what={`${of}ファイル`}
        />
        <Button
          variant="default"
          aria-expanded={isShown}
          onClick={() => setShown((before) => !before)}
        >
          {`${of}QRコードを${isShown ? "閉じる" : "表示する"}`}
        </Button>
      </Group>
      {isShown && <Code sitting={sitting} subject={subject} />}
    </Stack>
  );
}

function fileOf({ receipt, transcript }: SignedReceipt): Blob {
  const check = location.origin + paths.receiptCheck();
  const text = JSON.stringify({ check, receipt, transcript }, null, 2);
  return new Blob([text], { type: "application/json" });
}

function Code({ sitting, subject }: HandedIn) {
  const query = useQuery(receiptQuery(sitting));
  const loading = <LoadingState rows={1} height="18rem" />;
  return (
    <QueryBoundary query={query} loading={loading} part>
      {({ receipt }) => {
        // The fragment is not sent to a server.
        const path = `${paths.receiptCheck()}#${receipt}`;
        return (
          <Stack gap="xs">
            <Suspense fallback={loading}>
              <QrCode text={location.origin + path} label={`${subject}の提出証明のQRコード`} />
            </Suspense>
            <Note>
              QRコードを読み取ると、確かめるページが開きます。この画面では
              <TextLink inline to={path}>
                {subject}の証明を確かめる
              </TextLink>
              からも開けます。
            </Note>
          </Stack>
        );
      }}
    </QueryBoundary>
  );
}
