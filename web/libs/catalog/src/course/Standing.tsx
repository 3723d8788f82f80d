import type { InventoryItem } from "@konomana/learner";
import { isOpen, paths } from "@konomana/paths";
import { hasScope, rememberPath, type User, useSession } from "@konomana/session";
import {
  Badge,
  formatLastDay,
  LoadingState,
  ButtonLink,
  Stack,
  Note,
  Group,
  Text,
  TextLink,
} from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { LaterToggle } from "./LaterToggle";
import { ownedItemQuery } from "./owned";
import styles from "./Standing.module.css";

interface StandingProps {
  /** The course's id. */
  course: number;
  onSale: boolean;
}

/** How the person stands to this course: a visitor, somebody who has it, or somebody who has not. */
export function Standing({ course, onSale }: StandingProps) {
  const { user } = useSession();
  // Guardians and staff neither have courses nor put them aside.
  if (user !== null && !hasScope(user, "learner")) return null;
  return (
    <Stack gap="sm" className={styles.standing}>
      {user === null ? (
        <VisitorStanding course={course} onSale={onSale} />
      ) : (
        <LearnerStanding course={course} onSale={onSale} user={user} />
      )}
    </Stack>
  );
}

/** The state of a course that can't be bought yet. */
function SaleState({ onSale, again = false }: { onSale: boolean; again?: boolean }) {
  if (!onSale || isOpen("purchase")) return null;
  return (
    <Text bold>
      {again ? "もう一度購入する手続き" : "お申し込みの受け付け"}は、ただいま準備中です。
    </Text>
  );
}

/** Why to bookmark a course. */
function whyLater(onSale: boolean): string {
  const when = onSale && !isOpen("purchase") ? "始まったときに" : "また";
  return `「あとで見る」に入れておくと、${when}すぐ見つかります。`;
}

function VisitorStanding({ course, onSale }: StandingProps) {
  return (
    <>
      <SaleState onSale={onSale} />
      <ButtonLink to={paths.signup({ course })} pill fullWidth>
        無料登録して、あとで見るに入れる
      </ButtonLink>
      <Note>登録が終わると、このページに戻ります。{whyLater(onSale)}</Note>
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

function LearnerStanding({ course, onSale, user }: StandingProps & { user: User }) {
  const { data: item, isPending } = useQuery(ownedItemQuery(course));
  if (isPending) return <LoadingState rows={1} height="6rem" />;
  // Whether it is owned is an extra on this page: the course itself shows without it.
  const owned = item ?? null;
  const isUsable = owned !== null && !owned.is_expired;
  return (
    <>
      {owned !== null && <Owned item={owned} />}
      {!isUsable && (
        <>
          <SaleState onSale={onSale} again={owned !== null} />
          <LaterToggle course={course} />
          <Note>{whyLater(onSale)}</Note>
          <ConsentNeeded user={user} />
        </>
      )}
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
      <ButtonLink to={paths.ownedCourse(item.id)} pill fullWidth>
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
