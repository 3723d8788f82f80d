import { saveFile } from "@konomana/browser";
import { FailureAlert } from "@konomana/query";
import { Button, Stack } from "@konomana/ui-base";
import { useMutation } from "@tanstack/react-query";

interface DownloadPdfProps {
  /** The name of the file. */
  name: string;
  load: () => Promise<Blob>;
}

/** Gives a document as a PDF. */
export function DownloadPdf({ name, load }: DownloadPdfProps) {
  const loading = useMutation({ mutationFn: load, onSuccess: (file) => saveFile(name, file) });
  return (
    <Stack gap="sm">
      <Button variant="default" busy={loading.isPending} onClick={() => loading.mutate()}>
        {loading.isPending ? "用意しています…" : "PDFを保存する"}
      </Button>
      {loading.isError && (
        <FailureAlert
          key={loading.submittedAt}
          error={loading.error}
          title="PDFを保存できませんでした"
        />
      )}
    </Stack>
  );
}
