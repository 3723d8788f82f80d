import { expect, test } from "vitest";
import { shrinkPhoto } from "./shrinkPhoto";

/** A picture in one color, or without a color, a transparent one. */
async function pictureOf(width: number, height: number, color?: string): Promise<Blob> {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d");
  if (context && color !== undefined) {
    context.fillStyle = color;
    context.fillRect(0, 0, width, height);
  }
  return canvas.convertToBlob({ type: "image/png" });
}

/** The size of a picture, and the red, green and blue of its first pixel. */
async function read(content: Blob) {
  const picture = await createImageBitmap(content);
  const context = new OffscreenCanvas(1, 1).getContext("2d");
  context?.drawImage(picture, 0, 0);
  const pixel = [...(context?.getImageData(0, 0, 1, 1).data ?? [])].slice(0, 3);
  return { size: [picture.width, picture.height], pixel };
}

test.each([
  ["a large photo is made smaller", [3_200, 1_000], [1_600, 500]],
  ["a high one too", [1_000, 3_200], [500, 1_600]],
  ["a small one keeps its size", [300, 200], [300, 200]],
  ["no side becomes 0", [3_200, 1], [1_600, 1]],
] as const)("%s", async (_, [width, height], size) => {
  const photo = await shrinkPhoto(await pictureOf(width, height, "black"));
  expect(photo.type).toBe("image/jpeg");
  expect(await read(photo)).toEqual({ size, pixel: [0, 0, 0] });
});

test("what is transparent becomes white", async () => {
  const photo = await shrinkPhoto(await pictureOf(8, 8));
  expect(await read(photo)).toEqual({ size: [8, 8], pixel: [255, 255, 255] });
});

test("what follows the picture in a file is not sent", async () => {
  const photo = await shrinkPhoto(new Blob([await pictureOf(8, 8, "black"), "GPS 35.68"]));
  expect(await photo.text()).not.toContain("GPS");
});

test("a file that is no picture is refused", async () => {
  await expect(shrinkPhoto(new Blob(["GIF"]))).rejects.toMatchObject({ name: "InvalidStateError" });
});
