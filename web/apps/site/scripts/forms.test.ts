import { expect, test } from "vitest";
import { leakingForms } from "./forms.ts";

test("a form without a method would put its input into the address", () => {
  const contact = '<form aria-label="お問い合わせ" novalidate="">';
  expect(leakingForms(`<p>a</p>${contact}<input name="email"></form>`)).toEqual([contact]);
});

test("a form sent only by scripts and a search form are safe", () => {
  const safe = '<form method="dialog" novalidate=""></form><form role="search" class="s"></form>';
  expect(leakingForms(safe)).toEqual([]);
});

test("a form with method post is rejected: the static site refuses POST", () => {
  expect(leakingForms('<form method="post"></form>')).toEqual(['<form method="post">']);
});
