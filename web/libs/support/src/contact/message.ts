import { ApiError, idempotencyKey, type StoredKey } from "@konomana/http";
import { supportCalls } from "../api";
import { choiceOf, limits, nameOf, rules, wordsOf } from "@konomana/form";
import { createDraft } from "@konomana/session";
import * as v from "valibot";

/** What a message can be about, and how it is called. */
export const kinds = {
  course: "講座について",
  account: "アカウントについて",
  payment: "料金・お支払いについて",
  technical: "動画・動作環境について",
  other: "その他",
} as const;

/** The largest picture, in bytes. */
export const PICTURE_MAX = 5 * 1024 * 1024;
/** What pictures may be. */
export const pictureTypes = ["image/png", "image/jpeg", "image/webp"] as const;

/** The form as it is filled in. */
export interface Message {
  kind: string;
  name: string;
  email: string;
  text: string;
  picture: File | null;
  /** What no person sees and only a machine fills in. */
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

/** What was typed, kept in this tab until it is sent. A picture can't be kept like that. */
export const messageDraft = createDraft<Message>("contact", ["kind", "name", "email", "text"]);

/** The key of the message until it is sent. */
const keyStore = createDraft<StoredKey>("contact.key", ["key", "content"]);

/** The picture that went ahead of a message, so that a second try does not send it again. */
let sentPicture: { file: File; name: string } | null = null;

async function sendPicture(file: File): Promise<string> {
  if (sentPicture?.file !== file) {
    const { picture } = await supportCalls.putPicture(file);
    sentPicture = { file, name: picture };
  }
  return sentPicture.name;
}

/** A message that the server took. */
export interface Taken {
  /** To quote. */
  number: string;
  /** Whether a mail with the number is on its way. */
  receipt: boolean;
}

/** Sends a message; the same one again is the same to the server. */
export async function send({ picture, ...words }: v.InferOutput<typeof schema>): Promise<Taken> {
  const post = async () => {
    const sent = { ...words, picture: picture === null ? null : await sendPicture(picture) };
    return supportCalls.contact(sent, idempotencyKey(keyStore, sent));
  };
  try {
    return await post();
  } catch (error) {
    // The server keeps a picture without its message for an hour.
    if (sentPicture === null || !isPictureForgotten(error)) throw error;
    sentPicture = null;
    return post();
  }
}

function isPictureForgotten(error: unknown): boolean {
  const errors = error instanceof ApiError ? error.errors : [];
  return errors.some(({ field, code }) => field === "picture" && code === "UNKNOWN_CHOICE");
}

/** The message is sent: nothing of it stays behind. */
export function forget(): void {
  messageDraft.clear();
  keyStore.clear();
  sentPicture = null;
}
