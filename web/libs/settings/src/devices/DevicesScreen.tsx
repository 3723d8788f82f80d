import { devicesQuery, settings, type Device } from "../api";
import { ConfirmButton, QueryBoundary } from "@konomana/query";
import { leave } from "@konomana/session";
import {
  Badge,
  formatDateTime,
  Group,
  LoadingState,
  showBlue,
  Text,
  TitledPanel,
  Lines,
} from "@konomana/ui-base";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { SettingsPage } from "../parts/SettingsPage";

/** /mypage/settings/devices: the signed-in devices, and buttons to sign them out. */
export function DevicesScreen() {
  const devices = useQuery(devicesQuery);
  return (
    <SettingsPage
      title="ログイン中の端末"
      intro="心当たりのない端末があるときは、ログアウトさせてから、パスワードを変更してください。"
    >
      <TitledPanel gap="md" title="端末の一覧">
        <QueryBoundary query={devices} loading={<LoadingState rows={2} height="4.5rem" />}>
          {(list) => (
            <Lines>
              {list.map((device) => (
                <DeviceRow key={device.id} device={device} />
              ))}
            </Lines>
          )}
        </QueryBoundary>
      </TitledPanel>
      <TitledPanel gap="md" title="すべての端末からログアウト">
        <Text>この端末もふくめて、すべての端末でログインしなおす必要があります。</Text>
        <EndAll />
      </TitledPanel>
    </SettingsPage>
  );
}

function DeviceRow({ device }: { device: Device }) {
  return (
    <Group as="li" gap="0.5rem 1rem" justify="space-between">
      <div>
        <Group gap="xs">
          <Text bold>{device.device}</Text>
          {device.is_current && <Badge color="teal">この端末</Badge>}
        </Group>
        <Text size="sm" dimmed>
          {device.place}
        </Text>
        <Text size="sm" dimmed>
          最後に使った日時：{formatDateTime(device.last_used)}
        </Text>
        <Text size="sm" dimmed>
          ログインした日時：{formatDateTime(device.created)}
        </Text>
      </div>
      {!device.is_current && <EndOne device={device} />}
    </Group>
  );
}

function EndOne({ device }: { device: Device }) {
  const queries = useQueryClient();
  const ending = useMutation({
    mutationFn: () => settings.endDevice(device.id),
    onSuccess: async () => {
      await queries.invalidateQueries(devicesQuery);
      showBlue("端末をログアウトさせました。");
    },
  });
  return (
    <ConfirmButton
      label="ログアウトさせる"
      fullLabel={`${device.device}をログアウトさせる`}
      title={`${device.device}をログアウトさせますか？`}
      yes="ログアウトさせる"
      doing={ending}
    >
      その端末でもう一度使うには、ログインしなおす必要があります。
    </ConfirmButton>
  );
}

function EndAll() {
  const ending = useMutation({
    mutationFn: () => settings.logoutEverywhere(),
    onSuccess: () => {
      showBlue("すべての端末からログアウトしました。");
      leave();
    },
  });
  return (
    <div>
      <ConfirmButton
        label="すべての端末からログアウト"
        title="すべての端末からログアウトしますか？"
        yes="ログアウトする"
        doing={ending}
      >
        この端末からもログアウトします。
      </ConfirmButton>
    </div>
  );
}
