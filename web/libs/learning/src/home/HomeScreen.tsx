import { hasScope, useSession } from "@konomana/session";
import { Head } from "@konomana/ui";
import { AccountHome } from "./AccountHome";
import { LearnerHome } from "./LearnerHome";

/** /mypage: a learner's day; for guardians and staff, who have no courses of their own, their account. */
export function Component() {
  const { user } = useSession();
  return (
    <>
      <Head title="マイページ" />
      {user &&
        (hasScope(user, "learner") ? <LearnerHome user={user} /> : <AccountHome user={user} />)}
    </>
  );
}
