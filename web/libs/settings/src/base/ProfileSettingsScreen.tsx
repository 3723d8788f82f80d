import { TitledPanel } from "@konomana/ui-base";
import { useSession } from "@konomana/session";
import { SettingsPage } from "../parts/SettingsPage";
import { GuardianConsent } from "./GuardianConsent";
import { ProfileForm } from "./ProfileForm";

/** /mypage/settings/base: the profile, and for a minor the guardian's consent. */
export function ProfileSettingsScreen() {
  const { user } = useSession();
  return (
    <SettingsPage title="基本情報">
      {user && (
        <>
          {user.guardian_consent !== "not_needed" && (
            <TitledPanel gap="md" title="保護者の同意">
              <GuardianConsent state={user.guardian_consent} />
            </TitledPanel>
          )}
          <TitledPanel gap="md" title="ご本人の情報">
            <ProfileForm key={user.id} user={user} />
          </TitledPanel>
        </>
      )}
    </SettingsPage>
  );
}
