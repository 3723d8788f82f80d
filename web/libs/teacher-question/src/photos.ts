import { ApiError, errorSentence } from "@konomana/http";
import type { Refusals } from "@konomana/query";
import { putQuestionPicture, type QuestionPicture } from "./teacherQuestionCalls";

/** Most photos of a message. */
export const MAX_PHOTOS = 3;

/** The server's errors for a photo, shown beside its field. */
export const photoRefusals: Refusals = Object.fromEntries(
  (["PICTURE_TOO_LARGE", "PICTURE_UNREADABLE"] as const).map((code) => [
    code,
    { field: "pictures", sentence: errorSentence(code) },
  ]),
);

/** A chosen photo. */
export interface Photo {
  key: string;
  /** The name of the file. */
  name: string;
  /** The photo as it is sent. Rejects if the browser can't read the file. */
  content: Promise<Blob>;
  description: string;
}

/** The ids of uploaded photos, so that a second attempt does not upload them again. */
const uploads = new WeakMap<Blob, string>();

async function upload({ content, description }: Photo): Promise<QuestionPicture> {
  const photo = await content;
  const id = uploads.get(photo) ?? (await putQuestionPicture(photo)).id;
  uploads.set(photo, id);
  return { id, description: description.trim() };
}

/** Uploads the photos one after another, then sends their message. */
export async function sendWithPhotos<Answer>(
  photos: readonly Photo[],
  send: (pictures: QuestionPicture[]) => Promise<Answer>,
): Promise<Answer> {
  const attempt = async () => {
    const pictures: QuestionPicture[] = [];
    for (const photo of photos) pictures.push(await upload(photo));
    return send(pictures);
  };
  try {
    return await attempt();
  } catch (error) {
    // The server stores a photo without its message for one day.
    if (!arePhotosForgotten(error)) throw error;
    for (const { content } of photos) uploads.delete(await content);
    return attempt();
  }
}

function arePhotosForgotten(error: unknown): boolean {
  const errors = error instanceof ApiError ? error.errors : [];
  return errors.some(({ field, code }) => field === "pictures" && code === "UNKNOWN_CHOICE");
}
