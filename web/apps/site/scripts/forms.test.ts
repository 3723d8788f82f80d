import { expect, test } from "vitest";
import { leakingForms } from "./forms.ts";

test("a form without a method would put what was typed into the address", () => {
  const contact = '<form aria-label="お問い合わせ" novalidate="">';
  expect(leakingForms(`<p>a</p>${contact}<input name="email"></form>`)).toEqual([contact]);
});

test("a form that is sent by scripts only, and a search, are safe", () => {
  const safe = '<form method="dialog" novalidate=""></form><form role="search" class="s"></form>';
  expect(leakingForms(safe)).toEqual([]);
});

test("posting is no way out: the site serves files and refuses it", () => {
  expect(leakingForms('<form method="post"></form>')).toEqual(['<form method="post">']);
});
