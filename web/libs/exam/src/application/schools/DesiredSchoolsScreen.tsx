import { paths } from "@konomana/paths";
import { Alert, ButtonLink, Group, Stack, Text } from "@konomana/ui-base";
import type { Sheet } from "../../api";
import { Fixed } from "../Fixed";
import { hasStarted } from "../steps";
import { StepScreen } from "../StepScreen";
import { MAX_SCHOOLS } from "./desiredSchools";
import { DesiredSchoolList } from "./DesiredSchoolList";

/** /mypage/mockexam/{id}/schoolinfo: the desired schools in order. */
export function DesiredSchoolsScreen() {
  return (
    <StepScreen step="desired_schools" title="志望校">
      {(sheet) => <Schools sheet={sheet} />}
    </StepScreen>
  );
}

function Schools({ sheet }: { sheet: Sheet }) {
  const { exam, desired_schools: schools } = sheet;
  const fixed = hasStarted(sheet);
  const next = schools.length + 1;
  return (
    <Stack gap="lg">
      {fixed ? (
        <Fixed />
      ) : (
        <Text>
          行きたい学校を、第1志望から順に{MAX_SCHOOLS}
          校まで選べます。学校ごとに合格の可能性を判定します。選ぶたびに保存されます。
        </Text>
      )}
      {schools.length > 0 && <DesiredSchoolList exam={exam.id} schools={schools} isFixed={fixed} />}
      {!fixed && schools.length === 0 && (
        <Alert color="blue">まずは、第1志望の学校を選びましょう。あとから変えられます。</Alert>
      )}
      <Group actions>
        {!fixed && next <= MAX_SCHOOLS && (
          <ButtonLink
            to={paths.desiredSchool(exam.id, next)}
            variant={schools.length === 0 ? "filled" : "default"}
          >
            第{next}志望を選ぶ
          </ButtonLink>
        )}
        {schools.length > 0 && (
          <ButtonLink to={fixed ? paths.mockExam(exam.id) : paths.deviceCheck(exam.id)}>
            {fixed ? "模試のページへもどる" : "端末の確認へ進む"}
          </ButtonLink>
        )}
      </Group>
    </Stack>
  );
}
