import { problem } from "@konomana/testing";
import { connectApi } from "@konomana/http";
import { closeMessage, Alerts } from "@konomana/ui-base";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { render } from "vitest-browser-react";
import { StarToggle } from "./StarToggle";

type Answer = (url: string, init: RequestInit) => Promise<Response>;
const server = vi.fn<Answer>();

beforeEach(() => {
  connectApi({
    session: { token: async () => "t", renew: async () => "t", lost: () => {} },
    cookies: () => "XSRF-TOKEN=n.m",
  });
  server.mockReset();
  vi.stubGlobal("fetch", server);
});

afterEach(() => {
  closeMessage();
  vi.unstubAllGlobals();
});

function Star() {
  const [starred, setStarred] = useState(false);
  return <StarToggle lesson={{ id: 7, name: "主語" }} starred={starred} show={setStarred} />;
}

const open = () =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <>
        <Alerts />
        <Star />
      </>
    </QueryClientProvider>,
  );

test("a mark shows before the server has answered", async () => {
  const answer = Promise.withResolvers<Response>();
  server.mockReturnValue(answer.promise);
  const screen = await open();
  const star = screen.getByRole("button", { name: "主語をお気に入りにする" });
  await star.click();
  await expect.element(star).toHaveAttribute("aria-pressed", "true");
  answer.resolve(new Response(null, { status: 204 }));
  await expect.poll(() => server.mock.calls.length).toBe(1);
  await expect.element(star).toHaveAttribute("aria-pressed", "true");
});

test("a mark is taken back if the server refuses it, and the reason is shown", async () => {
  server.mockResolvedValue(problem(409, "MARK_LIMIT"));
  const screen = await open();
  const star = screen.getByRole("button", { name: "主語をお気に入りにする" });
  await star.click();
  await expect
    .element(screen.getByRole("alert"))
    .toHaveTextContent(
      "お気に入りをつけられませんでした。登録できるのは500件までです。使わなくなったものを外してからお試しください。",
    );
  await expect.element(star).toHaveAttribute("aria-pressed", "false");
});

test("presses on one mark reach the server in order", async () => {
  const first = Promise.withResolvers<Response>();
  server.mockReturnValueOnce(first.promise).mockResolvedValue(new Response(null, { status: 204 }));
  const screen = await open();
  const star = screen.getByRole("button", { name: "主語をお気に入りにする" });
  await star.click();
  await star.click();
  await expect.element(star).toHaveAttribute("aria-pressed", "false");
  expect(server.mock.calls.map(([, { method }]) => method)).toEqual(["PUT"]);
  first.resolve(new Response(null, { status: 204 }));
  await expect
    .poll(() => server.mock.calls.map(([, { method }]) => method))
    .toEqual(["PUT", "DELETE"]);
});
