import { useSession } from "@konomana/session";
import { Panel, SettingsPage } from "../parts/SettingsPage";
import { GuardianConsent } from "./GuardianConsent";
import { ProfileForm } from "./ProfileForm";

/** /mypage/settings/base: who the person is; for a minor also whether a guardian agrees. */
export function Component() {
  const { user } = useSession();
  return (
    <SettingsPage title="基本情報">
      {user && (
        <>
          {user.guardian_consent !== "not_needed" && (
            <Panel title="保護者の同意">
              <GuardianConsent state={user.guardian_consent} />
            </Panel>
          )}
          <Panel title="ご本人の情報">
            <ProfileForm key={user.id} user={user} />
          </Panel>
        </>
      )}
    </SettingsPage>
  );
}
