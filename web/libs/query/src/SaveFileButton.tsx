import { saveFile } from "@konomana/browser";
import { Button, Stack } from "@konomana/ui-base";
import { useMutation } from "@tanstack/react-query";
import { FailureAlert } from "./FailureAlert";

interface SaveFileButtonProps {
  /** The name of the file. */
  name: string;
  load: () => Promise<Blob>;
  /** The file's type as shown, e.g. PDF. */
  what: string;
}

/** Loads a file and downloads it. */
export function SaveFileButton({ name, load, what }: SaveFileButtonProps) {
  const loading = useMutation({ mutationFn: load, onSuccess: (file) => saveFile(name, file) });
  return (
    <Stack gap="sm">
      <Button variant="default" busy={loading.isPending} onClick={() => loading.mutate()}>
        {loading.isPending ? "用意しています…" : `${what}を保存する`}
      </Button>
      {loading.isError && (
        <FailureAlert
          key={loading.submittedAt}
          error={loading.error}
          title={`${what}を保存できませんでした`}
        />
      )}
    </Stack>
  );
}
