import type { InventoryItem } from "@konomana/learner";
import { canBuy, CartButton } from "@konomana/cart";
import { paths } from "@konomana/paths";
import { hasScope, rememberPath, type User, useSession } from "@konomana/session";
import {
  Badge,
  formatLastDay,
  LoadingState,
  ButtonLink,
  Stack,
  Note,
  Group,
  TextLink,
} from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { LaterToggle } from "./LaterToggle";
import { ownedItemQuery } from "./owned";
import styles from "./Standing.module.css";

interface StandingProps {
  /** The course's id. */
  course: number;
  /** What is bought; null where the course is not sold now. */
  product: number | null;
}

/** How the person stands to this course: a visitor, somebody who has it, or somebody who has not. */
export function Standing({ course, product }: StandingProps) {
  const { user } = useSession();
  // Staff neither have courses nor buy them.
  if (user !== null && !canBuy(user)) return null;
  if (user === null) return <VisitorStanding course={course} product={product} />;
  if (hasScope(user, "learner"))
    return <LearnerStanding course={course} product={product} user={user} />;
  return <GuardianStanding product={product} />;
}

function Frame({ children }: { children: ReactNode }) {
  return (
    <Stack gap="sm" className={styles.standing}>
      {children}
    </Stack>
  );
}

const whyLater = "「あとで見る」に入れておくと、またすぐ見つかります。";

function VisitorStanding({ course, product }: StandingProps) {
  return (
    <Frame>
      {product !== null && <CartButton product={product} />}
      <ButtonLink to={paths.signup({ course })} pill fullWidth variant="default">
        無料登録して、あとで見るに入れる
      </ButtonLink>
      <Note>登録が終わると、このページに戻ります。{whyLater}</Note>
      <ButtonLink
        to={paths.login()}
        pill
        variant="default"
        fullWidth
        onClick={() => rememberPath(paths.course(course))}
      >
        ログイン
      </ButtonLink>
      <Note>この講座をお持ちの方は、ログインすると続きから学べます。</Note>
    </Frame>
  );
}

function LearnerStanding({ course, product, user }: StandingProps & { user: User }) {
  const { data: item, isPending } = useQuery(ownedItemQuery(course));
  if (isPending)
    return (
      <Frame>
        <LoadingState rows={1} height="6rem" />
      </Frame>
    );
  // Whether it is owned is an extra on this page: the course itself shows without it.
  const owned = item ?? null;
  const isUsable = owned !== null && !owned.is_expired;
  return (
    <Frame>
      {owned !== null && <Owned item={owned} />}
      {!isUsable && (
        <>
          {product !== null && <CartButton product={product} again={owned !== null} />}
          <LaterToggle course={course} />
          <Note>{whyLater}</Note>
          <ConsentNeeded user={user} />
        </>
      )}
    </Frame>
  );
}

/** Guardians have no courses of their own, and buy for their children. */
function GuardianStanding({ product }: Pick<StandingProps, "product">) {
  if (product === null) return null;
  return (
    <Frame>
      <CartButton product={product} />
      <Note>受講するお子さまは、カートで選べます。</Note>
    </Frame>
  );
}

function Owned({ item }: { item: InventoryItem }) {
  return (
    <>
      <Group as="p" gap="0.25rem 0.75rem">
        <Badge size="xl" color={item.is_expired ? "gray" : "teal"}>
          {item.is_expired ? "期限切れ" : "持っています"}
        </Badge>
        <span>{item.expire_at === null ? "期限なし" : `${formatLastDay(item.expire_at)}まで`}</span>
      </Group>
      <ButtonLink
        to={paths.ownedCourse(item.id)}
        pill
        fullWidth
        variant={item.is_expired ? "default" : "filled"}
      >
        {item.is_expired ? "学習の記録を見る" : "学習を続ける"}
      </ButtonLink>
    </>
  );
}

/** Offers a minor to link a guardian, whose consent is needed to buy. */
function ConsentNeeded({ user }: { user: User }) {
  if (user.guardian_consent !== "missing") return null;
  return (
    <Note>
      18歳未満の方の購入には、保護者の方の同意が必要です。
      <TextLink to={paths.settingsGuardian()} inline>
        保護者とつながる
      </TextLink>
    </Note>
  );
}
