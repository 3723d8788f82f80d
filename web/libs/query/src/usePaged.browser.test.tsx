import { StepPager } from "@konomana/ui-base";
import { MemoryRouter, useLocation } from "react-router";
import { expect, test } from "vitest";
import { render } from "vitest-browser-react";
import { usePaged } from "./usePaged";

interface Links {
  next: string | null;
  previous: string | null;
}

function List({ links }: { links: Links }) {
  const { page, link, toNext, toPrevious } = usePaged();
  return (
    <>
      <output aria-label="address">{useLocation().search}</output>
      <output aria-label="followed">{link ?? "none"}</output>
      <StepPager
        page={page}
        pages={3}
        onPrevious={() => toPrevious(links)}
        onNext={() => toNext(links)}
      />
    </>
  );
}

const open = (address: string, links: Links) =>
  render(
    <MemoryRouter initialEntries={[address]}>
      <List links={links} />
    </MemoryRouter>,
  );

test("spec §4: Inventory paging moves to the previous or next page through the next and previous links", async () => {
  const next = "https://konomana.example/api/lms/inventory/?page=3&sort_by_watchhistory=true";
  const previous = "https://konomana.example/api/lms/inventory/?sort_by_watchhistory=true";
  const screen = await open("/?page=2&course=7", { next, previous });
  await screen.getByRole("button", { name: "次へ" }).click();
  await expect.element(screen.getByLabelText("address")).toHaveTextContent("?page=3&course=7");
  await expect.element(screen.getByLabelText("followed")).toHaveTextContent(next);
  await screen.getByRole("button", { name: "前へ" }).click();
  await expect.element(screen.getByLabelText("address")).toHaveTextContent("?course=7");
  await expect.element(screen.getByLabelText("followed")).toHaveTextContent(previous);
});

test("spec §4: Inventory paging does nothing when the link is null", async () => {
  const screen = await open("/?page=2", { next: null, previous: null });
  await screen.getByRole("button", { name: "次へ" }).click();
  await screen.getByRole("button", { name: "前へ" }).click();
  await expect.element(screen.getByLabelText("address")).toHaveTextContent("?page=2");
  await expect.element(screen.getByLabelText("followed")).toHaveTextContent("none");
});

test.each(["/?page=0", "/?page=x", "/?page=-1", "/?page=１", "/?page="])(
  "%s opens the first page",
  async (address) => {
    const screen = await open(address, { next: null, previous: null });
    await expect.element(screen.getByText("1 / 3ページ")).toBeVisible();
  },
);
