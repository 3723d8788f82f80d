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

/** A wide JPEG with a black left half, which EXIF says to turn clockwise by a quarter. */
async function turnedPhoto(): Promise<Blob> {
  const canvas = new OffscreenCanvas(64, 32);
  const context = canvas.getContext("2d");
  if (context) {
    context.fillStyle = "white";
    context.fillRect(0, 0, 64, 32);
    context.fillStyle = "black";
    context.fillRect(0, 0, 32, 32);
  }
  const jpeg = await canvas.convertToBlob({ type: "image/jpeg", quality: 1 });
  const orientation = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0];
  const tiff = [0x4d, 0x4d, 0, 0x2a, 0, 0, 0, 8, 0, 1, ...orientation, 0, 0, 0, 0];
  const exif = [..."Exif\0\0"].map((letter) => letter.charCodeAt(0));
  const segment = [0xff, 0xe1, 0, 2 + exif.length + tiff.length, ...exif, ...tiff];
  return new Blob([jpeg.slice(0, 2), new Uint8Array(segment), jpeg.slice(2)]);
}

/** The size of a picture, and the red, green and blue of its first pixel. */
async function readPicture(content: Blob) {
  const picture = await createImageBitmap(content);
  const context = new OffscreenCanvas(1, 1).getContext("2d");
  context?.drawImage(picture, 0, 0);
  const pixel = [...(context?.getImageData(0, 0, 1, 1).data ?? [])].slice(0, 3);
  return { size: [picture.width, picture.height], pixel };
}

test.each([
  ["a large photo is made smaller", [3_200, 1_000], [1_600, 500]],
  ["a tall photo too", [1_000, 3_200], [500, 1_600]],
  ["a small photo keeps its size", [300, 200], [300, 200]],
  ["no side becomes 0", [3_200, 1], [1_600, 1]],
] as const)("%s", async (_, [width, height], size) => {
  const photo = await shrinkPhoto(await pictureOf(width, height, "black"));
  expect(photo.type).toBe("image/jpeg");
  expect(await readPicture(photo)).toEqual({ size, pixel: [0, 0, 0] });
});

test("a transparent picture gets a white background", async () => {
  const photo = await shrinkPhoto(await pictureOf(8, 8));
  expect(await readPicture(photo)).toEqual({ size: [8, 8], pixel: [255, 255, 255] });
});

test("a photo that the camera stored turned comes out upright, without its EXIF data", async () => {
  const turned = await turnedPhoto();
  expect(await turned.text()).toContain("Exif");
  const photo = await shrinkPhoto(turned);
  expect(await readPicture(photo)).toEqual({ size: [32, 64], pixel: [0, 0, 0] });
  expect(await photo.text()).not.toContain("Exif");
});

test("bytes after the picture are not copied", async () => {
  const photo = await shrinkPhoto(new Blob([await pictureOf(8, 8, "black"), "GPS 35.68"]));
  expect(await photo.text()).not.toContain("GPS");
});

test("a file that is no picture is refused", async () => {
  await expect(shrinkPhoto(new Blob(["GIF"]))).rejects.toMatchObject({ name: "InvalidStateError" });
});
