import { freshStorage } from "@konomana/testing/storage";
import { beforeEach, describe, expect, test } from "vitest";
import { rememberPath, restorePath } from "./returnPath";

beforeEach(freshStorage);

describe("spec §4: On login or logout redirects the current path is remembered and restored after login", () => {
  test("with its query and fragment, once", () => {
    rememberPath("/mypage/learnning/7?x=1#lesson-3");
    expect(restorePath()).toBe("/mypage/learnning/7?x=1#lesson-3");
    expect(restorePath()).toBe("/mypage");
  });

  test("spec §2: After login the user goes to /mypage", () => {
    expect(restorePath()).toBe("/mypage");
  });

  test("the login path is not remembered", () => {
    rememberPath("/mypage/course");
    rememberPath("/login");
    expect(restorePath()).toBe("/mypage/course");
  });
});

describe("spec §5: Redirect targets are accepted only if they are internal paths starting with a slash", () => {
  test.each(["https://evil.example/", "//evil.example", "/\\evil.example", "mypage", ""])(
    "%j is not remembered",
    (path) => {
      rememberPath(path);
      expect(restorePath()).toBe("/mypage");
    },
  );

  test("a path written to storage by other code is not trusted", () => {
    sessionStorage.setItem("konomana.return-to", "https://evil.example/");
    expect(restorePath()).toBe("/mypage");
  });
});
