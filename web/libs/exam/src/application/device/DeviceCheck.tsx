import { FailureAlert } from "@konomana/query";
import { paths } from "@konomana/paths";
import {
  Alert,
  Button,
  ButtonLink,
  Group,
  LoadingState,
  Stack,
  TitledPanel,
} from "@konomana/ui-base";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { applications } from "../../api";
import { deviceId } from "../../device/deviceId";
import { useRenewSheet } from "../useRenewSheet";
import { findingsOf } from "./findings";
import { FindingList } from "./FindingList";
import { type Measured, measureDevice } from "./measure";
import { QuietQuestion } from "./QuietQuestion";
import { SoundQuestion } from "./SoundQuestion";

/** Measures the device, asks two questions, and saves the results. */
export function DeviceCheck({ exam }: { exam: number }) {
  const [sound, setSound] = useState<boolean | null>(null);
  const [quiet, setQuiet] = useState<boolean | null>(null);
  const measuring = useQuery({
    queryKey: ["device"],
    queryFn: ({ signal }) => measureDevice(signal),
    staleTime: 0,
    gcTime: 0,
  });
  const { data: measured, isFetching } = measuring;
  return (
    <Stack gap="lg">
      <TitledPanel title="自動で確かめること" gap="md">
        {isFetching ? (
          <LoadingState rows={4} height="3rem" />
        ) : measured === undefined ? (
          <Alert color="red" title="確かめられませんでした">
            インターネットにつながっているか確かめて、もう一度お試しください。
          </Alert>
        ) : (
          <FindingList findings={findingsOf(measured)} />
        )}
        <Group>
          <Button variant="default" busy={isFetching} onClick={() => void measuring.refetch()}>
            もう一度確かめる
          </Button>
        </Group>
      </TitledPanel>
      <SoundQuestion heard={sound} onAnswer={setSound} />
      <QuietQuestion quiet={quiet} onAnswer={setQuiet} />
      <Save exam={exam} measured={isFetching ? undefined : measured} sound={sound} quiet={quiet} />
    </Stack>
  );
}

interface SaveProps {
  exam: number;
  /** `undefined` until the measurement is done. */
  measured: Measured | undefined;
  sound: boolean | null;
  quiet: boolean | null;
}

function Save({ exam, measured, sound, quiet }: SaveProps) {
  const renew = useRenewSheet();
  const message = useRef<HTMLDivElement>(null);
  const [isMissing, setMissing] = useState(false);
  const saving = useMutation({
    mutationFn: async (body: Measured & { sound: boolean; quiet_place: boolean }) => {
      const { passed } = await applications.saveDeviceCheck(exam, deviceId(), body);
      await renew();
      return passed;
    },
    onSettled: () => message.current?.focus(),
  });
  const save = () => {
    const isReady = measured !== undefined && quiet !== null;
    setMissing(!isReady);
    // Sound is not required for the exam.
    if (isReady) saving.mutate({ ...measured, sound: sound === true, quiet_place: quiet });
    else message.current?.focus();
  };
  return (
    <Stack gap="md">
      <div ref={message} tabIndex={-1}>
        {isMissing && (
          <Alert color="red">自動の確認が終わるのを待って、場所の質問に答えてください。</Alert>
        )}
        {!isMissing && saving.isError && (
          <FailureAlert
            key={saving.submittedAt}
            error={saving.error}
            title="保存できませんでした"
          />
        )}
        {!isMissing && saving.isSuccess && <Outcome exam={exam} passed={saving.data} />}
      </div>
      <Button size="lg" busy={saving.isPending} onClick={save}>
        {saving.isPending ? "保存しています…" : "確認の結果を保存する"}
      </Button>
    </Stack>
  );
}

function Outcome({ exam, passed }: { exam: number; passed: boolean }) {
  if (!passed)
    return (
      <Alert color="red" title="この端末では、まだ受けられません">
        「直すところ」を直してから、もう一度確かめて保存してください。ほかの端末で確かめることもできます。
      </Alert>
    );
  return (
    <Alert color="blue" title="この端末で受けられます" role="status">
      <p>準備はこれで終わりです。</p>
      <Group actions>
        <ButtonLink to={paths.mockExam(exam)}>模試のページへ進む</ButtonLink>
      </Group>
    </Alert>
  );
}
