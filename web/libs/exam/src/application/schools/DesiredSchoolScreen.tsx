import { paths } from "@konomana/paths";
import { Note, TextLink } from "@konomana/ui-base";
import { useState } from "react";
import { Navigate, useParams } from "react-router";
import type { School, Sheet } from "../../api";
import { hasStarted } from "../steps";
import { StepScreen } from "../StepScreen";
import { DepartmentForm } from "./DepartmentForm";
import { SchoolSearch } from "./SchoolSearch";

/** /mypage/mockexam/{id}/schoolinfo/{desired_rank}: searches a school and saves it at a rank. */
export function DesiredSchoolScreen() {
  const rank = Number(useParams()["desired_rank"]);
  return (
    <StepScreen step="desired_schools" title={`第${rank}志望`}>
      {(sheet) => <Choice key={rank} sheet={sheet} rank={rank} />}
    </StepScreen>
  );
}

function Choice({ sheet, rank }: { sheet: Sheet; rank: number }) {
  const { exam, desired_schools: schools, basic_info } = sheet;
  const current = schools.find((desired) => desired.rank === rank);
  const [chosen, setChosen] = useState<School | null>(current?.school ?? null);
  // Ranks have no gap, so a new school goes to the first free rank.
  if (rank > schools.length + 1)
    return <Navigate to={paths.desiredSchool(exam.id, schools.length + 1)} replace />;
  if (hasStarted(sheet)) return <Navigate to={paths.desiredSchools(exam.id)} replace />;
  if (chosen === null)
    return (
      <>
        <SchoolSearch
          prefecture={basic_info?.prefecture ?? ""}
          taken={schools.filter((desired) => desired.rank !== rank)}
          onChoose={setChosen}
        />
        <TextLink to={paths.desiredSchools(exam.id)}>志望校の一覧にもどる</TextLink>
      </>
    );
  return (
    <>
      <DepartmentForm
        key={chosen.id}
        exam={exam.id}
        rank={rank}
        school={chosen}
        current={current?.school.id === chosen.id ? current : undefined}
        onOther={() => setChosen(null)}
      />
      {chosen.counts_school_marks && (
        <Note>
          この学校の入試では、内申点も見ます。内申点は、志望校といっしょに見返すための控えです。模試の合格判定は偏差値だけで出し、内申点は使いません。
        </Note>
      )}
    </>
  );
}
