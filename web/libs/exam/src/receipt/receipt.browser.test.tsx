import { type Answers } from "@konomana/testing";
import { decodeQR } from "qr/decode.js";
import { describe, expect, test, vi } from "vitest";
import { userEvent } from "vitest/browser";
import { faultsOnAPhone, offline, open, sheetOf } from "../examTesting";
import example from "./receipt-example.json";

const CHECK = "/konomoshi/receipt";
const KEYS = "GET exam/receipt-keys/";
const SITTING = "01934a3c-7d2e-7a41-9c55-2b1f0e6d8a90";

const toBase64Url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
const bytesOf = (hex: string) =>
  Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
const signed = {
  receipt: example.receipt,
  transcript: toBase64Url(new TextEncoder().encode(example.transcript)),
};
const jwk = {
  kty: "OKP",
  crv: "Ed25519",
  kid: "56475aa75463474c",
  x: toBase64Url(bytesOf(example.public_key)),
};
const published: Answers = { [KEYS]: () => ({ keys: [jwk] }) };
/** A file as the panel saves it, with other content. */
const fileOf = (content: unknown) =>
  new File([typeof content === "string" ? content : JSON.stringify(content)], "receipt.json", {
    type: "application/json",
  });
const tampered = `${example.receipt.slice(0, 100)}${example.receipt[100] === "A" ? "B" : "A"}${example.receipt.slice(101)}`;

async function openCheck(path = CHECK, answers: Answers = published) {
  const opened = await open(path, { answers, user: null });
  const { screen } = opened;
  const choose = (content: unknown) =>
    userEvent.upload(screen.getByLabelText("提出証明のファイル"), fileOf(content));
  return { ...opened, choose };
}

describe("a receipt is checked", () => {
  test("by its file: the handed-in answers and their time", async () => {
    const { screen, choose } = await openCheck();
    await choose(signed);
    await expect.element(screen.getByText("本物です")).toBeVisible();
    for (const fact of [
      "第1回 コノ模試",
      "数学",
      "2026年11月20日(金) 12:50（時間になったため、自動で提出）",
      "4問中2問",
    ])
      await expect.element(screen.getByText(fact, { exact: true })).toBeVisible();
    const rows = screen.getByRole("row");
    const digest = /"digest":"(\w+)"/.exec(example.transcript)?.[1] ?? "";
    await expect.element(rows.nth(1)).toHaveTextContent(`112:01:00${digest}`);
    await expect.element(rows.nth(2)).toHaveTextContent("2答えていません");
    expect(await faultsOnAPhone(screen.container)).toEqual([]);
  });

  test("by the link of its QR code", async () => {
    const { screen, router } = await openCheck(`${CHECK}#${example.receipt}`);
    await expect.element(screen.getByText("本物です")).toBeVisible();
    await router.navigate(`${CHECK}#${example.receipt.slice(0, 200)}`);
    await expect.element(screen.getByText(/データが途中で切れています。/)).toBeVisible();
  });

  const foreign =
    "コノ模試の提出証明ではありません。提出のあとの画面で保存した「receipt-」で始まるファイルを選んでください。";
  const cut =
    "データが途中で切れています。QRコードをもう一度読み取るか、ファイルをもう一度保存してください。";
  test.each([
    [
      "a changed receipt",
      { ...signed, receipt: tampered },
      "一致しません署名されたあとに、内容が書きかえられています。",
    ],
    [
      "other answers",
      { ...signed, transcript: "e30" },
      "一致しませんファイルの中の答えが、署名された記録とちがいます。",
    ],
    [
      "a half of a receipt",
      { ...signed, receipt: example.receipt.slice(0, 300) },
      `確かめられません${cut}`,
    ],
    ["another file", { a: 1 }, `確かめられません${foreign}`],
    ["a text", "数学のノート", `確かめられません${foreign}`],
    ["a large file", "a".repeat(1_000_001), `確かめられません${foreign}`],
  ] as const)("%s is refused with the reason", async (_, content, sentence) => {
    const { screen, choose } = await openCheck();
    await choose(content);
    await expect.element(screen.getByRole("main").getByRole("alert")).toHaveTextContent(sentence);
    expect(await faultsOnAPhone(screen.container)).toEqual([]);
  });

  test("signed with another key is refused", async () => {
    const other = { ...jwk, kid: "0000000000000000" };
    const { screen, choose } = await openCheck(CHECK, { [KEYS]: () => ({ keys: [other] }) });
    await choose(signed);
    await expect
      .element(screen.getByText(/公開している鍵で署名されたものではありません/))
      .toBeVisible();
  });

  test("offline, once the page is loaded", async () => {
    let isCut = false;
    const keys = vi.fn<() => { keys: (typeof jwk)[] }>(() => (isCut ? offline() : { keys: [jwk] }));
    const { screen, choose, calls } = await openCheck(CHECK, { [KEYS]: keys });
    await expect.poll(() => keys.mock.calls.length).toBe(1);
    isCut = true;
    await choose(signed);
    await expect.element(screen.getByText("本物です")).toBeVisible();
    expect(calls).toHaveLength(1);
  });

  test("when the keys load late, without choosing the file again", async () => {
    let isCut = true;
    const { screen, choose } = await openCheck(CHECK, {
      [KEYS]: () => (isCut ? offline() : { keys: [jwk] }),
    });
    await choose(signed);
    const again = screen.getByRole("button", { name: "もう一度試す" });
    await expect.element(again).toBeVisible();
    isCut = false;
    await again.click();
    await expect.element(screen.getByText("本物です")).toBeVisible();
  });
});

describe("the receipt of a paper", () => {
  const handedIn = sheetOf({
    stage: "exam",
    papers: [
      {
        paper_id: 12,
        subject: "数学",
        minutes: 50,
        state: "handed_in",
        sitting_id: SITTING,
        handed_in_at: "2026-11-20T03:50:00Z",
      },
    ],
  });
  const answers: Answers = {
    "GET exam/application/1/": () => handedIn,
    "GET exam/sitting/{id}/receipt/": () => signed,
  };

  test("is a QR code that links to its check", async () => {
    const { screen } = await open("/mypage/mockexam/1/success", { answers });
    await screen.getByRole("button", { name: "QRコードを表示する" }).click();
    const code = screen.getByRole("img", { name: "数学の提出証明のQRコード" });
    await expect.element(code).toBeVisible();
    expect(await readCode(code.element() as SVGSVGElement)).toBe(
      `${location.origin}${CHECK}#${example.receipt}`,
    );
    await expect
      .element(screen.getByRole("link", { name: "数学の証明を確かめる" }))
      .toHaveAttribute("href", `${CHECK}#${example.receipt}`);
    expect(await faultsOnAPhone(screen.container)).toEqual([]);
  });

  test("is a file with the signed bytes unchanged", async () => {
    const files: Blob[] = [];
    vi.spyOn(URL, "createObjectURL").mockImplementation((file) => {
      files.push(file as Blob);
      return "blob:receipt";
    });
    const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => {});
    const { screen } = await open("/mypage/mockexam/1/success", { answers });
    await screen.getByRole("button", { name: "ファイルを保存する" }).click();
    await expect.poll(() => click.mock.calls.length).toBe(1);
    expect((click.mock.contexts[0] as HTMLAnchorElement).download).toBe(`receipt-${SITTING}.json`);
    expect(JSON.parse((await files[0]?.text()) ?? "")).toEqual({
      check: location.origin + CHECK,
      ...signed,
    });
  });

  test("that fails to load shows a message and can be loaded again", async () => {
    let isCut = true;
    const { screen } = await open("/mypage/mockexam/1/success", {
      answers: {
        ...answers,
        "GET exam/sitting/{id}/receipt/": () => (isCut ? offline() : signed),
      },
    });
    await screen.getByRole("button", { name: "ファイルを保存する" }).click();
    await expect.element(screen.getByText("ファイルを保存できませんでした")).toBeVisible();
    await screen.getByRole("button", { name: "QRコードを表示する" }).click();
    const again = screen.getByRole("button", { name: "もう一度試す" });
    await expect.element(again).toBeVisible();
    isCut = false;
    await again.click();
    await expect.element(screen.getByRole("img", { name: /QRコード/ })).toBeVisible();
  });
});

/** Decodes a QR code from its picture, as a camera would. */
async function readCode(code: SVGSVGElement): Promise<string> {
  const side = code.viewBox.baseVal.width * 4;
  const copy = code.cloneNode(true) as SVGSVGElement;
  copy.setAttribute("width", String(side));
  copy.setAttribute("height", String(side));
  const picture = new Image();
  picture.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await picture.decode();
  const canvas = new OffscreenCanvas(side, side);
  const context = canvas.getContext("2d");
  context?.drawImage(picture, 0, 0, side, side);
  const image = context?.getImageData(0, 0, side, side);
  if (image === undefined) throw new Error("no canvas");
  return decodeQR(image);
}
