import { addressQuery } from "@konomana/session";
import { QueryBoundary } from "@konomana/query";
import { LoadingState, TitledPanel } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { SettingsPage } from "../parts/SettingsPage";
import { AddressForm } from "./AddressForm";

/** /mypage/settings/address: the postal address and the telephone number. */
export function AddressSettingsScreen() {
  const address = useQuery(addressQuery);
  return (
    <SettingsPage
      title="住所と電話番号"
      intro="教材をお送りするときや、お急ぎの連絡に使います。すべて空にして保存すると、消せます。"
    >
      <TitledPanel gap="md" title="ご登録の住所">
        <QueryBoundary query={address} loading={<LoadingState rows={5} height="4rem" />}>
          {(known) => <AddressForm known={known} />}
        </QueryBoundary>
      </TitledPanel>
    </SettingsPage>
  );
}
