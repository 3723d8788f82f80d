import { learner } from "@konomana/testing";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { forgetSitting } from "./protocol/OpenSitting";
import { EXAM, faults, openPage, resetSitting, sit, slow } from "./sittingPageTesting";

beforeEach(resetSitting);

describe("one place at a time", () => {
  test("a paper on another device is taken over with its answers", async () => {
    const { screen, server, state } = await sit();
    await screen.getByRole("radio").nth(2).click();
    await state("保存済み");
    await screen.unmount();
    forgetSitting();
    server.takeOverElsewhere();
    const here = await openPage(EXAM, server);
    await here.heading("ほかの端末で受験中です");
    await here.press("この端末で続ける");
    await here.heading("問題 1 / 4");
    await expect.element(here.screen.getByRole("radio").nth(2)).toBeChecked();
  });

  test.each(["this device had it before", "this device never had it"])(
    "a take-over goes on at the question that was answered last: %s",
    async (before) => {
      const { screen, server, state, press, heading } = await sit();
      await screen.getByRole("radio").nth(2).click();
      await state("保存済み");
      await press("次の問題 →");
      await heading("問題 2 / 4");
      await screen.unmount();
      forgetSitting();
      server.takeOverElsewhere();
      server.answers.set(103, {
        question_id: 103,
        epoch: server.epoch,
        sequence: 1,
        answer: { number: "0.5" },
        is_flagged: false,
        saved_at: new Date(server.now + 60_000).toISOString(),
        digest: "0".repeat(64),
      });
      if (before === "this device never had it") localStorage.clear();
      const here = await openPage(EXAM, server);
      await here.heading("ほかの端末で受験中です");
      await here.press("この端末で続ける");
      await here.heading("問題 3 / 4");
      await expect.element(here.screen.getByRole("textbox")).toHaveValue("0.5");
      await here.screen.unmount();
      forgetSitting();
      // A reload of the same device goes on at its own place.
      const again = await openPage(`${EXAM}?paper=11&question=2`, server);
      await again.heading("問題 2 / 4");
      await again.screen.unmount();
      forgetSitting();
      const reload = await openPage(EXAM, server);
      await reload.heading("問題 2 / 4");
    },
  );

  test("a takeover by another device shows a dialog, which takes the paper back", async () => {
    const { screen, server, press, state } = await sit();
    server.takeOverElsewhere();
    await screen.getByRole("radio").nth(2).click();
    const dialog = screen.getByRole("dialog", { name: "ほかの端末に引きつがれました" });
    await expect.element(dialog, slow).toBeVisible();
    expect(await faults()).toEqual([]);
    await press("この端末で続ける");
    await expect.element(dialog).not.toBeInTheDocument();
    await state("保存済み");
    await screen.getByRole("radio").nth(0).click();
    await expect.poll(() => server.answers.get(101)?.answer, slow).toEqual({ choices: [1] });
  });

  test("a paper in another tab shows a message and can be taken", async () => {
    const held = Promise.withResolvers<void>();
    const lost = vi.fn<() => void>();
    const other = navigator.locks
      .request(`konomana.exam.${learner.id}`, () => held.promise)
      .catch(lost);
    const { press, heading } = await openPage(`${EXAM}?paper=11`);
    await press("始める");
    await heading("ほかのタブで受験中です");
    expect(await faults()).toEqual([]);
    await press("このタブで続ける");
    await heading("問題 1 / 4");
    await other;
    expect(lost).toHaveBeenCalledOnce();
    held.resolve();
  });

  test("when the other tab ends, this one continues automatically", async () => {
    const held = Promise.withResolvers<void>();
    void navigator.locks.request(`konomana.exam.${learner.id}`, () => held.promise);
    const { server, press, heading } = await openPage(`${EXAM}?paper=11`);
    await press("始める");
    await heading("ほかのタブで受験中です");
    expect(server.startedAt).toBeNull();
    held.resolve();
    await heading("問題 1 / 4");
  });
});
