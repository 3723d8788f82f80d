import { ApiError, idempotencyKey, type StoredKey } from "@konomana/http";
import { supportCalls } from "../api";
import { choiceOf, limits, nameOf, rules, wordsOf } from "@konomana/form";
import { createDraft } from "@konomana/session";
import * as v from "valibot";

/** The kinds of messages with their labels. */
export const kinds = {
  course: "講座について",
  account: "アカウントについて",
  payment: "料金・お支払いについて",
  technical: "動画・動作環境について",
  other: "その他",
} as const;

/** The maximum size of a picture, in bytes. */
export const PICTURE_MAX = 5 * 1024 * 1024;
/** The accepted media types of a picture. */
export const pictureTypes = ["image/png", "image/jpeg", "image/webp"] as const;

/** The values of the form. */
export interface Message {
  kind: string;
  name: string;
  email: string;
  text: string;
  picture: File | null;
  /** The honeypot field. People do not see it; bots fill it in. */
  website: string;
}

export const empty: Message = {
  kind: "",
  name: "",
  email: "",
  text: "",
  picture: null,
  website: "",
};

export const schema = v.object({
  kind: choiceOf(Object.keys(kinds) as (keyof typeof kinds)[]),
  name: nameOf(limits.contactName),
  email: rules.email,
  text: wordsOf(limits.contactText.min, limits.contactText.max),
  picture: v.nullable(
    v.pipe(
      v.file(),
      v.mimeType([...pictureTypes], "PICTURE_UNREADABLE"),
      v.maxSize(PICTURE_MAX, "PICTURE_TOO_LARGE"),
    ),
  ),
  website: v.string(),
});

/** The draft in this tab, kept until the message is sent. A picture can't be stored in it. */
export const messageDraft = createDraft<Message>("contact", ["kind", "name", "email", "text"]);

/** The idempotency key of the message, until it is sent. */
const keyStore = createDraft<StoredKey>("contact.key", ["key", "content"]);

/** The uploaded picture of the message, so a second attempt does not upload it again. */
let sentPicture: { file: File; name: string } | null = null;

async function sendPicture(file: File): Promise<string> {
  if (sentPicture?.file !== file) {
    const { picture } = await supportCalls.putPicture(file);
    sentPicture = { file, name: picture };
  }
  return sentPicture.name;
}

/** The server's answer to a sent message. */
export interface Reply {
  /** The reference number. */
  number: string;
  /** Whether a receipt with the number is mailed. */
  receipt: boolean;
}

/** Sends a message. Sending the same one again has the same idempotency key. */
export async function send({ picture, ...words }: v.InferOutput<typeof schema>): Promise<Reply> {
  const post = async () => {
    const sent = { ...words, picture: picture === null ? null : await sendPicture(picture) };
    return supportCalls.contact(sent, idempotencyKey(keyStore, sent));
  };
  try {
    return await post();
  } catch (error) {
    // The server stores a picture without its message for one hour.
    if (sentPicture === null || !isPictureForgotten(error)) throw error;
    sentPicture = null;
    return post();
  }
}

function isPictureForgotten(error: unknown): boolean {
  const errors = error instanceof ApiError ? error.errors : [];
  return errors.some(({ field, code }) => field === "picture" && code === "UNKNOWN_CHOICE");
}

/** Removes the draft, the key and the picture after the message is sent. */
export function forget(): void {
  messageDraft.clear();
  keyStore.clear();
  sentPicture = null;
}
