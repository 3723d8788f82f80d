import { FailureAlert, QueryBoundary } from "@konomana/query";
import { PERSONAL } from "@konomana/http";
import {
  Badge,
  Button,
  formatDateTime,
  Group,
  Lines,
  LoadingState,
  showBlue,
  Text,
  TitledPanel,
} from "@konomana/ui-base";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { notificationsQuery, settings, type PushDevice } from "../api";
import { canPush, findThisDevice, isForbidden, subscribe, unsubscribe } from "./push";

const THIS_DEVICE = [...PERSONAL, "push-device"];

/** The browsers that show notifications, and the button that subscribes this one. */
export function PushDevices({
  pushKey,
  devices,
}: {
  pushKey: string;
  devices: readonly PushDevice[];
}) {
  const queries = useQueryClient();
  const own = useQuery({
    queryKey: THIS_DEVICE,
    queryFn: async () => {
      const id = await findThisDevice(devices);
      // A browser that replaced its subscription is listed under its new id, so that it can be ended.
      if (id !== null && devices.every((device) => device.id !== id))
        await queries.invalidateQueries(notificationsQuery);
      return id;
    },
    staleTime: Infinity,
  });
  return (
    <TitledPanel gap="md" title="端末の通知">
      <Text>
        通知を受け取ると決めた端末には、コノマナを開いていないときも、お知らせが表示されます。
      </Text>
      {!canPush() ? (
        <Text>
          このブラウザーでは、通知を受け取れません。iPhoneとiPadでは、コノマナを「ホーム画面に追加」して開くと、受け取れます。
        </Text>
      ) : (
        <QueryBoundary part query={own} loading={<LoadingState rows={1} height="2.75rem" />}>
          {(id) => id === null && <Subscribe pushKey={pushKey} />}
        </QueryBoundary>
      )}
      {devices.length > 0 && (
        <Lines>
          {devices.map((device) => (
            <Device key={device.id} device={device} isOwn={device.id === own.data} />
          ))}
        </Lines>
      )}
    </TitledPanel>
  );
}

function Subscribe({ pushKey }: { pushKey: string }) {
  const queries = useQueryClient();
  const [forbidden, setForbidden] = useState(isForbidden);
  const subscribing = useMutation({
    mutationFn: () => subscribe(pushKey),
    onSuccess: async (id) => {
      if (id === null) return setForbidden(isForbidden());
      queries.setQueryData(THIS_DEVICE, id);
      await queries.invalidateQueries(notificationsQuery);
      showBlue("この端末で通知を受け取ります。");
    },
  });
  if (forbidden)
    return (
      <Text>
        この端末では、コノマナの通知が止められています。受け取るときは、ブラウザーの設定で、このサイトの通知を許可してください。
      </Text>
    );
  return (
    <>
      {subscribing.isError && (
        <FailureAlert
          key={subscribing.submittedAt}
          error={subscribing.error}
          title="通知を始められませんでした"
        />
      )}
      <div>
        <Button busy={subscribing.isPending} onClick={() => subscribing.mutate()}>
          {subscribing.isPending ? "準備しています…" : "この端末で通知を受け取る"}
        </Button>
      </div>
    </>
  );
}

function Device({ device, isOwn }: { device: PushDevice; isOwn: boolean }) {
  const queries = useQueryClient();
  const ending = useMutation({
    mutationFn: () => (isOwn ? unsubscribe(device.id) : settings.deletePushDevice(device.id)),
    onSuccess: async () => {
      if (isOwn) queries.setQueryData(THIS_DEVICE, null);
      await queries.invalidateQueries(notificationsQuery);
      showBlue("通知を止めました。");
    },
  });
  return (
    <Group as="li" gap="0.5rem 1rem" justify="space-between">
      <div>
        <Group gap="xs">
          <Text bold>{device.device}</Text>
          {isOwn && <Badge color="teal">この端末</Badge>}
          {device.ended_at !== null && <Badge color="red">届かなくなりました</Badge>}
        </Group>
        <Text size="sm" dimmed>
          登録した日時：{formatDateTime(device.created_at)}
        </Text>
        {ending.isError && (
          <FailureAlert
            key={ending.submittedAt}
            error={ending.error}
            title="通知を止められませんでした"
          />
        )}
      </div>
      <Button
        variant="default"
        aria-label={`${device.device}の通知を止める`}
        busy={ending.isPending}
        onClick={() => ending.mutate()}
      >
        通知を止める
      </Button>
    </Group>
  );
}
