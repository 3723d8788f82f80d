import {
  keepPreviousData,
  QueryClient,
  QueryClientProvider,
  useQuery,
} from "@tanstack/react-query";
import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";
import { render } from "vitest-browser-react";
import { PagedList } from "./PagedList";
import { usePaged } from "./usePaged";

const address = "https://konomana.example/api/lms/favorite/";
const pages = [
  { count: 30, previous: null, next: `${address}?page=2`, name: "最初のページ" },
  { count: 30, previous: address, next: null, name: "次のページ" },
];

test("the pager names the shown page, also while the next one is loading", async () => {
  const answer = Promise.withResolvers<void>();

  function Screen() {
    const paged = usePaged();
    const query = useQuery({
      queryKey: [paged.page],
      queryFn: async () => {
        if (paged.page === 2) await answer.promise;
        return pages[paged.page - 1] ?? Promise.reject(new Error("no such page"));
      },
      placeholderData: keepPreviousData,
    });
    return (
      <PagedList paged={paged} query={query} loading={null}>
        {({ name }) => <p>{`${name}（アドレスは${paged.page}）`}</p>}
      </PagedList>
    );
  }

  const screen = await render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <Screen />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  await screen.getByRole("button", { name: "次へ" }).click();
  await expect.element(screen.getByText("最初のページ（アドレスは2）")).toBeVisible();
  expect(screen.getByText("1 / 2ページ").query()).not.toBeNull();

  answer.resolve();
  await expect.element(screen.getByText("次のページ（アドレスは2）")).toBeVisible();
  expect(screen.getByText("2 / 2ページ").query()).not.toBeNull();
});
