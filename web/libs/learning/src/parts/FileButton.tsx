import { sentenceOf } from "@konomana/http";
import { Button, showMessage } from "@konomana/ui-base";
import { useMutation } from "@tanstack/react-query";

interface FileButtonProps {
  /** What is downloaded; the button says so. */
  name: string;
  /** The file's name on the learner's disk. */
  file: string;
  /** Asks for the file's address, which is good for a while only. */
  address: () => Promise<string>;
}

/** Downloads a file whose address the server gives at the moment it is asked for. */
export function FileButton({ name, file, address }: FileButtonProps) {
  const fetching = useMutation({
    mutationFn: address,
    onSuccess: (url) => save(url, file),
    onError: (error) => showMessage(`${name}をダウンロードできませんでした。${sentenceOf(error)}`),
  });
  return (
    <Button
      variant="default"
      aria-disabled={fetching.isPending}
      onClick={() => fetching.isPending || fetching.mutate()}
    >
      {fetching.isPending ? "お待ちください…" : `${name}をダウンロード`}
    </Button>
  );
}

/** A link that presses itself: unlike a new window, no browser stops it after the wait for the address. */
function save(url: string, file: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = file;
  link.click();
}
