import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";
import { render } from "vitest-browser-react";
import { useStaleWhileRevalidate } from "./useStaleWhileRevalidate";

type Ask = (signal: AbortSignal) => Promise<string>;

function Page({ name, ask }: { name: string | null; ask: Ask }) {
  return <p>{useStaleWhileRevalidate(name === null ? null : [name], "built", ask)}</p>;
}

/** Renders a page whose parts can be changed. */
async function open(name: string | null, ask: Ask) {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const page = (other: string | null) => (
    <QueryClientProvider client={queries}>
      <Page name={other} ask={ask} />
    </QueryClientProvider>
  );
  const screen = await render(page(name));
  return { screen, show: (other: string | null) => screen.rerender(page(other)) };
}

test("the build's data shows until the API has answered", async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const { screen } = await open("list", () => promise);
  await expect.element(screen.getByText("built")).toBeVisible();
  resolve("newest");
  await expect.element(screen.getByText("newest")).toBeVisible();
});

test("the build's data stays if the API can't be reached", async () => {
  const ask = vi.fn<Ask>().mockRejectedValue(new Error("no network"));
  const { screen } = await open("list", ask);
  await vi.waitFor(() => expect(ask).toHaveBeenCalled());
  await expect.element(screen.getByText("built")).toBeVisible();
});

test("data that already comes from the API is not fetched again", async () => {
  const ask = vi.fn<Ask>().mockResolvedValue("newest");
  const { screen, show } = await open(null, ask);
  await expect.element(screen.getByText("built")).toBeVisible();
  expect(ask).not.toHaveBeenCalled();
  await show("list");
  await expect.element(screen.getByText("newest")).toBeVisible();
  await show(null);
  await expect.element(screen.getByText("built")).toBeVisible();
});
