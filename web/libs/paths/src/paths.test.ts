import { describe, expect, test } from "vitest";
import { paths, payloadPath } from "./paths";

describe("addresses", () => {
  test("parameters are filled in", () => {
    expect(paths.course(101)).toBe("/course/101");
    expect(paths.ownedCourse(7)).toBe("/mypage/learnning/7");
    expect(paths.ownedLesson(7, 70)).toBe("/mypage/learnning/7#lesson-70");
    expect(paths.lesson(70)).toBe("/mypage/lecture/70");
    expect(paths.certificate("018f")).toBe("/certificate/018f");
    expect(paths.recent()).toBe("/mypage/recent");
    expect(paths.recent({ show: "lesson", page: 1 })).toBe("/mypage/recent");
    expect(paths.recent({ show: "note", q: "主語" })).toBe(
      `/mypage/recent?show=note&q=${encodeURIComponent("主語")}`,
    );
    expect(paths.lecture(101010101)).toBe("/lecture/101010101");
    expect(paths.lecture(101010101, { at: 0 })).toBe("/lecture/101010101?at=0");
  });

  test("filters become a query in a fixed order, without empty values", () => {
    expect(paths.courses({ category: ["英語"], school_year: ["中1", "中2"], page: 2 })).toBe(
      `/course?${new URLSearchParams([
        ["school_year", "中1"],
        ["school_year", "中2"],
        ["category", "英語"],
        ["page", "2"],
      ])}`,
    );
    expect(paths.courses({ price_min: 0, price_max: 15_000, q: "be動詞", sort: "-price" })).toBe(
      `/course?price_min=0&price_max=15000&q=${encodeURIComponent("be動詞")}&sort=-price`,
    );
    expect(paths.courses({ school_year: [], q: "", sort: "recommended", page: 1 })).toBe("/course");
  });

  test("a question's address contains how it is answered", () => {
    expect(paths.question(7, 70)).toBe("/lecture/7/question/70");
    expect(paths.question(7, 70, { result: 12 })).toBe("/lecture/7/question/70?result=12");
    expect(paths.question(7, 70, { review: true })).toBe("/lecture/7/question/70?review=true");
    expect(paths.question(7, 70, { review: false })).toBe("/lecture/7/question/70");
    expect(paths.result(7, 12)).toBe("/lecture/7/result/12");
    expect(paths.results({ page: 1 })).toBe("/mypage/result");
  });

  test("a payment has its order in the query, an order in the path", () => {
    expect(paths.payment("018f")).toBe("/payment?order=018f");
    expect(paths.payment()).toBe("/payment");
    expect(paths.order("018f")).toBe("/mypage/history/018f");
    expect(paths.receipt("018f")).toBe("/mypage/history/018f/purchase");
    expect(paths.cartCoupon(2)).toBe("/cart/coupon/2");
    expect(paths.coupon(2)).toBe("/mypage/coupon/2");
    expect(paths.subscription("018f")).toBe("/mypage/history/subscribe/018f");
    expect(paths.cartConfirm({ method: "konbini" })).toBe("/cart/confirm?method=konbini");
    expect(paths.cartConfirm()).toBe("/cart/confirm");
  });

  test("a week of free slots has its day, and the interview that is changed", () => {
    expect(paths.interviewSlots(1)).toBe("/mypage/interview/register/1");
    expect(paths.interviewSlots(3, { day: "2026-12-01", change: "018f" })).toBe(
      "/mypage/interview/register/3?day=2026-12-01&change=018f",
    );
    expect(paths.interviewBooked("018f")).toBe("/mypage/interview/register/complete/018f");
  });

  test("the interviews of a child are at the addresses of the learner, with the child's account", () => {
    expect(paths.interviews()).toBe("/mypage/interview");
    expect(paths.interviews("018a")).toBe("/mypage/interview?child=018a");
    expect(paths.interviewKinds("018a")).toBe("/mypage/interview/register?child=018a");
    expect(paths.interviewBooked("018f", "018a")).toBe(
      "/mypage/interview/register/complete/018f?child=018a",
    );
  });

  test("the payload file is beside its page", () => {
    expect(payloadPath("/")).toBe("/_payload.json");
    expect(payloadPath("/course/101")).toBe("/course/101/_payload.json");
  });
});
