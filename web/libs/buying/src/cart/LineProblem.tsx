import { type CartLine, type CartLearner, useUsableItems } from "@konomana/cart";
import { paths } from "@konomana/paths";
import { hasScope, type User } from "@konomana/session";
import { Text, TextLink } from "@konomana/ui-base";
import type { ReactNode } from "react";
import { takerOf } from "../order/takerOf";

interface LineProblemProps {
  line: CartLine;
  /** The learner of the line. `undefined` if the account may no longer buy for them. */
  learner: CartLearner | undefined;
  user: User;
}

/** The reason why a line can't be bought, and what to do about it. */
export function LineProblem({ line, learner, user }: LineProblemProps) {
  const isOwn = line.learner.id === user.id;
  switch (line.problem) {
    case null:
      return null;
    case "owned":
      return (
        <Problem
          text={`${isOwn ? "" : `${line.learner.name}さんは、`}すでに${line.product.kind === "course" ? "購入" : "お申し込み"}済みです。`}
        >
          <OwnedLink line={line} isOwn={isOwn} />
        </Problem>
      );
    case "consent_missing":
      return (
        <Problem text="18歳未満の方の購入には、保護者の方の同意が必要です。">
          {isOwn ? (
            <OwnConsent isAsked={learner?.is_consent_asked ?? false} />
          ) : (
            <TextLink to={paths.child(line.learner.id)}>
              {line.learner.name}さんの同意を確かめる
            </TextLink>
          )}
        </Problem>
      );
    case "not_on_sale":
      return (
        <Problem text="いまは販売していません。">
          <TextLink to={paths.courses()}>ほかの講座をさがす</TextLink>
        </Problem>
      );
    case "not_linked":
      return (
        <Problem
          text={`${takerOf(line.product.kind)}とのつながりがないため、購入できません。${takerOf(line.product.kind)}を選び直すか、カートから出してください。`}
        >
          {hasScope(user, "guardian") && (
            <TextLink to={paths.mypage()}>マイページでお子さまとつながる</TextLink>
          )}
        </Problem>
      );
    case "ordered_elsewhere":
      return (
        <Problem
          text={`${isOwn ? "保護者の方" : `${line.learner.name}さん本人か、ほかの保護者の方`}が、同じ商品を注文していて、お支払いがまだ終わっていません。二重のお支払いをふせぐため、いまは購入できません。`}
        >
          <Text size="sm">
            その注文が取り消されるか期限が過ぎると、ここから購入できます。カートに入れたままにできます。
          </Text>
        </Problem>
      );
    case "sold_out":
      return (
        <Problem text="定員に達したため、いまはお申し込みできません。お支払いのない注文や取り消しで席が空くと、また申し込めます。カートに入れたままにできます。">
          <TextLink to={paths.konomoshi()}>ほかの模試を見る</TextLink>
        </Problem>
      );
    case "not_offered":
      return <Problem text="この商品は、まだ購入できません。カートから出してください。" />;
  }
}

function Problem({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div>
      <Text size="sm" accent bold>
        {text}
      </Text>
      {children}
    </div>
  );
}

function OwnedLink({ line, isOwn }: { line: CartLine; isOwn: boolean }) {
  const { kind, course_id, exam_id } = line.product;
  const item = useUsableItems().get(course_id ?? 0);
  if (kind === "exam_seat")
    return isOwn && exam_id !== null ? (
      <TextLink to={paths.mockExam(exam_id)}>模試のページを開く</TextLink>
    ) : (
      <TextLink to={paths.orders()}>お申し込みの内容を見る</TextLink>
    );
  if (kind === "subscription")
    return <TextLink to={paths.orders()}>ご契約中の月額サービスを見る</TextLink>;
  if (!isOwn) return <TextLink to={paths.child(line.learner.id)}>学習の進みぐあいを見る</TextLink>;
  return (
    <TextLink to={item === undefined ? paths.ownedCourses() : paths.ownedCourse(item)}>
      学習ページを開く
    </TextLink>
  );
}

function OwnConsent({ isAsked }: { isAsked: boolean }) {
  return isAsked ? (
    <>
      <Text size="sm">お願い済みです。保護者の方が同意すると、購入できるようになります。</Text>
      <TextLink to={paths.settingsBase()}>お願いのようすを確かめる</TextLink>
    </>
  ) : (
    <TextLink to={paths.settingsBase()}>保護者の方に同意をお願いする</TextLink>
  );
}
