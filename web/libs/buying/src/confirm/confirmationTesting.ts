import { type Answers, learner } from "@konomana/testing";
import { page } from "vitest/browser";
import type { Confirmation } from "../api";

export const CONFIRMATION = "GET commerce/confirmation/";
export const PLACE = "POST commerce/order/";

export function confirmationOf(
  price = 16_500,
  digest = "a".repeat(64),
  method: Confirmation["method"] = "card",
): Confirmation {
  return {
    digest,
    method,
    methods: ["card", "saved_card", "konbini", "bank_transfer"],
    document: {
      version: 2,
      method: "card",
      lines: [
        {
          product_id: 1105,
          course_id: 105,
          kind: "course",
          name: "中3数学 二次方程式と関数",
          period_days: 365,
          price,
          discount: 0,
          learner_id: learner.id,
          learner_name: "木下 葵",
        },
      ],
      subtotal: price,
      discount: 0,
      coupons: [],
      total: price,
      tax: Math.floor((price * 10) / 110),
      tax_rate: 10,
      terms: [
        { title: "分量", text: "オンライン講座 1点（各1点）。" },
        {
          title: "支払方法",
          text: "クレジットカード。決済代行会社のページでお支払いいただきます。",
        },
        { title: "支払時期", text: "注文の確定から1時間以内にお支払いください。" },
        { title: "提供時期", text: "お支払いの完了後すぐに（通常5秒以内）。" },
        { title: "申込みの撤回・解約", text: "お支払いの完了までは、注文を取り消せます。" },
      ],
    },
  };
}

export const button = page.getByRole("button", { name: "注文を確定する" });
export const address = page.getByLabelText("address");

type Place = NonNullable<Answers[typeof PLACE]>;

/** Answers calls that place an order, and records their keys and bodies. */
export function placing(answer: () => ReturnType<Place>) {
  const sent: { key: string | null; confirmation: unknown; method: unknown }[] = [];
  const place: Place = ({ headers, body }) => {
    sent.push({ key: headers.get("idempotency-key"), ...body });
    return answer();
  };
  return { sent, place };
}
