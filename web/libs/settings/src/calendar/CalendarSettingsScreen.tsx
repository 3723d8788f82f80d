import { ConfirmButton, FailureAlert, QueryBoundary } from "@konomana/query";
import {
  Button,
  formatDateTime,
  Group,
  LoadingState,
  showBlue,
  Text,
  TitledPanel,
} from "@konomana/ui-base";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { calendarAddressQuery, type CalendarAddress, settings } from "../api";
import { SettingsPage } from "../parts/SettingsPage";
import { NewAddress } from "./NewAddress";

/**
 * /mypage/settings/calendar: the secret address with which calendar apps read the person's dates. It is shown once, and
 * not stored in the browser.
 */
export function CalendarSettingsScreen() {
  const address = useQuery(calendarAddressQuery);
  const [url, setUrl] = useState<string | null>(null);
  return (
    <SettingsPage
      title="カレンダーに登録する"
      intro="予約した面談、申し込んだイベント、クラスの授業、模試の日時を、お使いのカレンダーに表示できます。日時が変わったり、中止になったりすると、カレンダーも自動で変わります。"
    >
      <TitledPanel gap="md" title="登録用のアドレス">
        <Text>
          このアドレスを知っている人は、だれでもあなたの予定の名前と日時を見られます。ほかの人に教えないでください。先生からのコメントや質問の内容、成績は、カレンダーには表示されません。
        </Text>
        {url !== null && <NewAddress key={url} url={url} />}
        <QueryBoundary query={address} loading={<LoadingState rows={1} height="2.75rem" />}>
          {({ created_at }) =>
            created_at === null ? (
              <Make onMade={setUrl} />
            ) : (
              <Existing createdAt={created_at} isShown={url !== null} onChange={setUrl} />
            )
          }
        </QueryBoundary>
      </TitledPanel>
    </SettingsPage>
  );
}

/** Makes an address, and stores in the cache that there is one. */
function useMake(onMade: (url: string) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => settings.makeCalendarAddress(),
    onSuccess: ({ url, created_at }) => {
      onMade(url);
      queries.setQueryData<CalendarAddress>(calendarAddressQuery.queryKey, { created_at });
    },
  });
}

function Make({ onMade }: { onMade: (url: string) => void }) {
  const making = useMake(onMade);
  return (
    <>
      {making.isError && (
        <FailureAlert
          key={making.submittedAt}
          error={making.error}
          title="アドレスを作れませんでした"
        />
      )}
      <div>
        <Button busy={making.isPending} onClick={() => making.mutate()}>
          {making.isPending ? "作っています…" : "アドレスを作る"}
        </Button>
      </div>
    </>
  );
}

interface ExistingProps {
  createdAt: string;
  /** Whether the screen shows the address. */
  isShown: boolean;
  /** Called with the new address, or `null` after the end. */
  onChange: (url: string | null) => void;
}

function Existing({ createdAt, isShown, onChange }: ExistingProps) {
  const queries = useQueryClient();
  const renewing = useMake(onChange);
  const ending = useMutation({
    mutationFn: () => settings.endCalendarAddress(),
    onSuccess: () => {
      onChange(null);
      queries.setQueryData<CalendarAddress>(calendarAddressQuery.queryKey, { created_at: null });
      showBlue("アドレスを使えなくしました。");
    },
  });
  return (
    <>
      <Text size="sm" dimmed>
        アドレスを作った日時：{formatDateTime(createdAt)}
      </Text>
      {!isShown && (
        <Text>
          登録したカレンダーでは、そのままお使いいただけます。アドレスは安全のため、もう一度表示することができません。ほかの端末にも登録するときは、新しく作りなおして、すべての端末で登録しなおしてください。
        </Text>
      )}
      <Group gap="sm">
        <ConfirmButton
          label="新しく作りなおす"
          title="アドレスを新しく作りなおしますか？"
          yes="作りなおす"
          doing={renewing}
        >
          前のアドレスは、すぐに使えなくなります。登録したカレンダーには、新しいアドレスを登録しなおしてください。
        </ConfirmButton>
        <ConfirmButton
          label="登録をやめる"
          title="登録をやめますか？"
          yes="登録をやめる"
          doing={ending}
        >
          アドレスは、すぐに使えなくなります。カレンダーに残った予定は、カレンダーのアプリで削除してください。
        </ConfirmButton>
      </Group>
    </>
  );
}
