import { QueryBoundary } from "@konomana/query";
import { Button, Group, LoadingState, Note, Stack, Text } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { judgementQuery, type ResultOwner, type School } from "../api";
import { SchoolSearch } from "../application/schools/SchoolSearch";
import { JudgementList } from "./JudgementList";

interface SchoolSimulatorProps {
  owner: ResultOwner;
  isFinal: boolean;
}

/** Shows the judgement of any school that the person searches for. */
export function SchoolSimulator({ owner, isFinal }: SchoolSimulatorProps) {
  const [school, setSchool] = useState<School | null>(null);
  if (school === null) return <SchoolSearch prefecture="" taken={[]} onChoose={setSchool} />;
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <div>
          <Text bold>{school.name}</Text>
          <Note>
            {school.kana}・{school.prefecture}
          </Note>
        </div>
        <Button variant="default" size="sm" onClick={() => setSchool(null)}>
          ほかの学校をさがす
        </Button>
      </Group>
      {school.departments.map(({ id }) => (
        <Department key={id} owner={owner} school={school.id} department={id} isFinal={isFinal} />
      ))}
    </Stack>
  );
}

interface DepartmentProps {
  owner: ResultOwner;
  school: number;
  department: number;
  isFinal: boolean;
}

function Department({ owner, school, department, isFinal }: DepartmentProps) {
  const query = useQuery(judgementQuery(owner, school, department));
  return (
    <QueryBoundary part query={query} loading={<LoadingState rows={1} height="5rem" />}>
      {(judgement) => <JudgementList judgements={[judgement]} isFinal={isFinal} />}
    </QueryBoundary>
  );
}
