import { paths } from "@konomana/paths";
import { hasScope, useSession } from "@konomana/session";
import {
  Badge,
  formatLastDay,
  LoadingState,
  ButtonLink,
  Stack,
  Note,
  Group,
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
        <VisitorStanding onSale={onSale} />
      ) : (
        <LearnerStanding course={course} onSale={onSale} />
      )}
    </Stack>
  );
}

/** What can be done today, and what is not there yet. */
function HowToBuy({ onSale }: { onSale: boolean }) {
  return onSale ? (
    <Note>
      お申し込みの受け付けは、ただいま準備中です。「あとで見る」に入れておくと、始まったときにすぐ見つかります。
    </Note>
  ) : (
    <Note>「あとで見る」に入れておくと、またすぐに見つかります。</Note>
  );
}

function VisitorStanding({ onSale }: { onSale: boolean }) {
  return (
    <>
      <ButtonLink to={paths.signup()} pill fullWidth>
        無料で登録する
      </ButtonLink>
      <HowToBuy onSale={onSale} />
      <ButtonLink to={paths.login()} pill variant="default" fullWidth>
        ログイン
      </ButtonLink>
      <Note>この講座をお持ちの方は、ログインすると続きから学べます。</Note>
    </>
  );
}

function LearnerStanding({ course, onSale }: StandingProps) {
  const { data: item, isPending } = useQuery(ownedItemQuery(course));
  if (isPending) return <LoadingState rows={1} height="6rem" />;
  // Whether it is owned is an extra on this page: the course itself shows without it.
  if (item === undefined || item === null) {
    return (
      <>
        <LaterToggle course={course} />
        <HowToBuy onSale={onSale} />
      </>
    );
  }
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
