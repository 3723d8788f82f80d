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
import { LaterToggle } from "./LaterToggle";
import { ownedItemQuery } from "./owned";
import styles from "./CourseScreen.module.css";

interface CourseActionsProps {
  /** The course's id. */
  course: number;
  /** The product to buy; null if the course is not on sale. */
  product: number | null;
}

/** The actions for the person: a visitor, an owner of the course, or another user. */
export function CourseActions({ course, product }: CourseActionsProps) {
  const { user } = useSession();
  const isLearner = user !== null && hasScope(user, "learner");
  // Ownership is optional here: if the query fails, the course still shows.
  const { data, isPending } = useQuery({ ...ownedItemQuery(course), enabled: isLearner });
  const item = (isLearner && data) || null;
  // Staff neither own nor buy courses.
  if (user !== null && !canBuy(user)) return null;
  if (user !== null && !isLearner && product === null) return null;
  const isUsable = item !== null && !item.is_expired;
  return (
    <Stack gap="sm" className={`kn-ruled ${styles.standing}`}>
      {item !== null && <Owned item={item} />}
      {/* One element for every state, because it may be pressed before the session is known. */}
      {!isUsable && product !== null && <CartButton product={product} again={item !== null} />}
      {user === null && <ForVisitor course={course} />}
      {user !== null && !isLearner && <Note>受講するお子さまは、カートで選べます。</Note>}
      {isLearner && isPending && <LoadingState rows={1} height="6rem" />}
      {isLearner && !isPending && !isUsable && <ForLearner course={course} user={user} />}
    </Stack>
  );
}

const whyLater = "「あとで見る」に入れておくと、またすぐ見つかります。";

function ForVisitor({ course }: Pick<CourseActionsProps, "course">) {
  return (
    <>
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
    </>
  );
}

/** What a learner without access can do besides buying. */
function ForLearner({ course, user }: Pick<CourseActionsProps, "course"> & { user: User }) {
  return (
    <>
      <LaterToggle course={course} />
      <Note>{whyLater}</Note>
      <ConsentNeeded user={user} />
    </>
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
