import { sentenceOf } from "@konomana/http";
import { paths } from "@konomana/paths";
import { ConfirmButton } from "@konomana/query";
import {
  Button,
  Group,
  Note,
  Panel,
  showBlue,
  showMessage,
  Stack,
  Text,
  TextLink,
} from "@konomana/ui-base";
import { useMutation } from "@tanstack/react-query";
import { applications, type DesiredSchool, reorderDesiredSchools } from "../../api";
import { useRenewSheet } from "../useRenewSheet";
import { toBody } from "./desiredSchools";

interface DesiredSchoolListProps {
  /** The exam's identifier. */
  exam: number;
  schools: readonly DesiredSchool[];
  /** Whether the list is read-only. */
  isFixed: boolean;
}

/** The desired schools in order. Each can be changed, moved and removed. */
export function DesiredSchoolList({ exam, schools, isFixed }: DesiredSchoolListProps) {
  return (
    <Stack as="ol" gap="sm" aria-label="志望校">
      {schools.map((school) => (
        <Row
          key={school.school.id}
          exam={exam}
          desired={school}
          schools={schools}
          isFixed={isFixed}
        />
      ))}
    </Stack>
  );
}

interface RowProps {
  exam: number;
  desired: DesiredSchool;
  schools: readonly DesiredSchool[];
  isFixed: boolean;
}

function Row({ exam, desired, schools, isFixed }: RowProps) {
  const { rank, school, department, school_marks } = desired;
  return (
    <Panel as="li" variant="raised" gap="xs">
      <div>
        <Note as="div">第{rank}志望</Note>
        <Text bold>{school.name}</Text>
        <Text size="sm">
          {department.name}・{school.prefecture}
          {school_marks !== null && `・内申 ${school_marks}`}
        </Text>
      </div>
      {!isFixed && (
        <Group gap="sm">
          <TextLink
            to={paths.desiredSchool(exam, rank)}
            aria-label={`第${rank}志望を変える（${school.name}）`}
          >
            変える
          </TextLink>
          {rank > 1 && <MoveUp exam={exam} desired={desired} schools={schools} />}
          <Remove exam={exam} desired={desired} />
        </Group>
      )}
    </Panel>
  );
}

function MoveUp({ exam, desired, schools }: Omit<RowProps, "isFixed">) {
  const renew = useRenewSheet();
  const to = desired.rank - 1;
  const moving = useMutation({
    mutationFn: () => {
      const behind = schools.filter((one) => one.rank >= to && one !== desired);
      return reorderDesiredSchools(exam, to, [desired, ...behind].map(toBody));
    },
    onSuccess: () => showBlue(`${desired.school.name}を第${to}志望にしました。`),
    onError: (error) =>
      showMessage(`順番を変えられませんでした。${sentenceOf(error)}`, () => moving.mutate()),
    onSettled: renew,
  });
  return (
    <Button
      variant="default"
      size="sm"
      busy={moving.isPending}
      aria-label={`↑ 上へ（${desired.school.name}を第${to}志望にする）`}
      onClick={() => moving.mutate()}
    >
      ↑ 上へ
    </Button>
  );
}

function Remove({ exam, desired: { rank, school } }: { exam: number; desired: DesiredSchool }) {
  const renew = useRenewSheet();
  const removing = useMutation({
    mutationFn: () => applications.removeDesiredSchool(exam, rank),
    onSuccess: async () => {
      await renew();
      showBlue(`${school.name}を外しました。`);
    },
  });
  return (
    <ConfirmButton
      label="外す"
      fullLabel={`${school.name}を志望校から外す`}
      title={`${school.name}を外しますか？`}
      yes="外す"
      doing={removing}
    >
      下の志望校の順番が、ひとつずつ上がります。
    </ConfirmButton>
  );
}
