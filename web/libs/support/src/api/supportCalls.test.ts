import { connectApi } from "@konomana/http";
import { serve } from "@konomana/http/testing";
import { expect, test } from "vitest";
import { supportCalls } from "./supportCalls";

test("a picture is sent unchanged with its own content type", async () => {
  const { received } = await serve(() => ({ status: 201, body: { picture: "018f" } }));
  connectApi({ cookies: () => "XSRF-TOKEN=n.m" });
  const picture = new Blob(["\u0089PNG"], { type: "image/png" });
  await expect(supportCalls.putPicture(picture)).resolves.toEqual({ picture: "018f" });
  expect(received[0]).toMatchObject({ path: "/api/desk/contact/picture/", body: "\u0089PNG" });
  expect(received[0]?.headers).toMatchObject({
    "content-type": "image/png",
    "x-xsrf-token": "n.m",
  });
  expect(received[0]?.headers).not.toHaveProperty("idempotency-key");
});

test("a message carries its idempotency key", async () => {
  const { received } = await serve(() => ({ status: 201, body: { number: "K-261121-4F7Q" } }));
  connectApi({ cookies: () => "XSRF-TOKEN=n.m" });
  const message = { kind: "other", name: "葵", email: "a@b.jp", text: "x", website: "" };
  await supportCalls.contact(message, "0af76519");
  expect(received[0]?.headers).toMatchObject({
    "content-type": "application/json",
    "idempotency-key": "0af76519",
  });
  expect(JSON.parse(received[0]?.body ?? "")).toEqual(message);
});

test("empty filters are not sent", async () => {
  const { received } = await serve(() => ({ body: { results: [] } }));
  await supportCalls.faqs({ category: "料金・お支払い", q: undefined, page: 2 });
  expect(decodeURIComponent(received[0]?.path ?? "")).toBe(
    "/api/desk/faq/?category=料金・お支払い&page=2",
  );
});
