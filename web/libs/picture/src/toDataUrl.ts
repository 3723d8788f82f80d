/**
 * The content as a `data:` URL. The Content-Security-Policy allows pictures only from the site and
 * from `data:`.
 */
export function toDataUrl(content: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(String(reader.result)));
    reader.addEventListener("error", () => reject(reader.error as Error));
    reader.readAsDataURL(content);
  });
}
