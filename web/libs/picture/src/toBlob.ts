/** The content of a canvas as a file. */
export function toBlob(canvas: HTMLCanvasElement, type: string, quality?: number): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error("The canvas is empty.")) : resolve(blob)),
      type,
      quality,
    );
  });
}
