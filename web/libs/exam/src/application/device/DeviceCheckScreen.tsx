import { paths } from "@konomana/paths";
import { Alert, ButtonLink, formatDateTime, Group, Stack, Text } from "@konomana/ui-base";
import { deviceId } from "../../device/deviceId";
import type { Sheet } from "../../api";
import { StepScreen } from "../StepScreen";
import { DeviceCheck } from "./DeviceCheck";

/**
 * /mypage/mockexam/{id}/environmentinfo: whether the exam can be taken on this device, and what to
 * fix.
 */
export function DeviceCheckScreen() {
  return (
    <StepScreen step="device_check" title="端末の確認">
      {(sheet) => <Check sheet={sheet} />}
    </StepScreen>
  );
}

function Check({ sheet: { exam, device_checks } }: { sheet: Sheet }) {
  const last = device_checks.find(({ device_id }) => device_id === deviceId());
  return (
    <Stack gap="lg">
      <Text>試験を受ける端末と場所で確かめます。1分ほどで終わります。</Text>
      {last?.passed && (
        <Alert color="blue" title="この端末は確認済みです">
          <p>{formatDateTime(last.checked_at)}に確かめました。</p>
          <Group actions>
            <ButtonLink to={paths.mockExam(exam.id)}>模試のページへ進む</ButtonLink>
          </Group>
        </Alert>
      )}
      {!last?.passed && device_checks.some(({ passed }) => passed) && (
        <Alert color="blue">
          ほかの端末は確認済みです。この端末で受けるときは、ここでも確かめてください。
        </Alert>
      )}
      <DeviceCheck exam={exam.id} />
    </Stack>
  );
}
