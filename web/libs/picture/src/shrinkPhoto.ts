import { toBlob } from "./toBlob";

/** The longest side of a stored photo, in pixels. */
const LONGEST_SIDE = 1_600;
const QUALITY = 0.8;

/**
 * Draws a photo again as a JPEG, upright and small enough to be sent at once. The place and the time
 * that a camera writes into a photo are not in it. Rejects if the browser can't read the file.
 */
export async function shrinkPhoto(file: Blob): Promise<Blob> {
  const photo = await createImageBitmap(file, { imageOrientation: "from-image" });
  const scale = Math.min(1, LONGEST_SIDE / Math.max(photo.width, photo.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(photo.width * scale));
  canvas.height = Math.max(1, Math.round(photo.height * scale));
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("The browser has no canvas.");
  context.fillStyle = "white";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(photo, 0, 0, canvas.width, canvas.height);
  photo.close();
  return toBlob(canvas, "image/jpeg", QUALITY);
}
