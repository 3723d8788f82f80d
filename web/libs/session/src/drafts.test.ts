import { freshStorage } from "@konomana/testing/storage";
import { beforeEach, expect, test } from "vitest";
import { createDraft } from "./drafts";
import { forgetDrafts } from "./draftStorage";
import { sessionStore } from "./state";
import { clearTokens } from "./tokenStorage";
import { keepTokens } from "./testing";

interface Words {
  text: string;
  password: string;
}

const draft = createDraft<Words>("contact", ["text"]);
const words: Words = { text: "書きかけ", password: "secret" };

const signIn = (id: string) => {
  keepTokens();
  sessionStore.signIn({ id } as Parameters<typeof sessionStore.signIn>[0]);
};
const signOut = () => {
  clearTokens();
  sessionStore.reset();
};

beforeEach(() => {
  freshStorage();
  sessionStore.reset();
});

test("only the named fields are stored", () => {
  draft.write(words);
  expect(draft.read()).toEqual({ text: "書きかけ" });
});

test("another person who signs in in the same tab reads nothing, and overwrites nothing", () => {
  signIn("anna");
  draft.write(words);
  signIn("ben");
  expect(draft.read()).toEqual({});
  draft.write({ ...words, text: "ben" });
  draft.clear();
  signIn("anna");
  expect(draft.read()).toEqual({ text: "書きかけ" });
});

test("a visitor's draft does not pass to the account that signs in next", () => {
  draft.write(words);
  signIn("anna");
  expect(draft.read()).toEqual({});
});

test("nothing is read or written while the account of the stored tokens is unknown", () => {
  draft.write(words);
  keepTokens();
  expect(draft.read()).toEqual({});
  draft.write({ ...words, text: "too early" });
  signOut();
  expect(draft.read()).toEqual({ text: "書きかけ" });
});

test("the drafts of all owners are removed, and nothing else", () => {
  draft.write(words);
  signIn("anna");
  draft.write(words);
  sessionStorage.setItem("konomana.device", "d1");
  forgetDrafts();
  expect(draft.read()).toEqual({});
  signOut();
  expect(draft.read()).toEqual({});
  expect(sessionStorage.getItem("konomana.device")).toBe("d1");
});

test("a form works when storage is refused", () => {
  sessionStorage.setItem = () => {
    throw new DOMException("full", "QuotaExceededError");
  };
  expect(() => draft.write(words)).not.toThrow();
  expect(draft.read()).toEqual({ text: words.text });
});
