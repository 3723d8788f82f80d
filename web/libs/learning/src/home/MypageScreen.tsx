import type { User } from "@konomana/session";
import { hasScope, useSession } from "@konomana/session";
import { Head } from "@konomana/ui-base";
import { GuardianHome } from "../guardian/GuardianHome";
import { AccountHome } from "./AccountHome";
import { LearnerHome } from "./LearnerHome";
import { SuspendedPasskeys } from "./SuspendedPasskeys";

/** /mypage: the home of a learner, of a guardian, or of staff. */
export function MypageScreen() {
  const { user } = useSession();
  return (
    <>
      <Head title="マイページ" />
      {user && <SuspendedPasskeys user={user} />}
      {user && <HomeOf user={user} />}
    </>
  );
}

function HomeOf({ user }: { user: User }) {
  if (hasScope(user, "learner")) return <LearnerHome user={user} />;
  if (hasScope(user, "guardian")) return <GuardianHome user={user} />;
  return <AccountHome user={user} />;
}
