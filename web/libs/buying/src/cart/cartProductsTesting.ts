import { lineOf, productOf } from "@konomana/cart/testing";
import { learner } from "@konomana/testing";

export const CART = "GET commerce/cart/";
export const math = productOf(1105, { name: "中3数学 二次方程式と関数" });
export const english = productOf(1101, { name: "中1英語", price: 13_200, period_days: null });
export const mathLine = lineOf(math);
export const LINE = `commerce/cart/line/${mathLine.id}/`;
export const child = { id: "018f0000-0000-7000-8000-000000000002", name: "木下 陽" };
export const guardian = { ...learner, scope: ["guardian"] };

export const monthly = productOf(3001, {
  kind: "subscription",
  name: "月額 質問し放題",
  price: 2980,
  period_days: null,
  course_id: null,
});

export const seat = productOf(2301, {
  kind: "exam_seat",
  name: "コノ模試 第2回",
  price: 4400,
  period_days: null,
  course_id: null,
  exam_id: 2,
  places_left: 3,
  application_closes_at: "2027-03-14T15:00:00Z",
});
