import { sentenceOf } from "@konomana/http";
import { Button, showMessage } from "@konomana/ui-base";
import { useMutation } from "@tanstack/react-query";

interface FileButtonProps {
  /** Name of the file in the button's text. */
  name: string;
  /** File name of the download. */
  file: string;
  /** Gets the file's URL, which expires. */
  address: () => Promise<string>;
}

/** Downloads a file after it has asked the server for the URL. */
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

/**
 * Clicks a link by script. A new window would be blocked, because the wait for the URL ends the
 * press.
 */
function save(url: string, file: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = file;
  link.click();
}
