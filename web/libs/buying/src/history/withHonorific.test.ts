import { expect, test } from "vitest";
import { withHonorific } from "./withHonorific";

test.each([
  ["木下 葵", "木下 葵 様"],
  ["木下 葵様", "木下 葵様"],
  ["株式会社青空 御中", "株式会社青空 御中"],
  ["様式会", "様式会 様"],
])("%s is named %s", (addressee, named) => {
  expect(withHonorific(addressee)).toBe(named);
});
