import { useSchemaForm } from "@konomana/form";
import { SaveForm } from "@konomana/query";
import { paths } from "@konomana/paths";
import { Button, Group, Note, Panel, showBlue, Text } from "@konomana/ui-base";
import { Radio, RadioGroup, TextField } from "@konomana/ui-kit";
import { useNavigate } from "react-router";
import * as v from "valibot";
import { applications, type DesiredSchool, type School } from "../../api";
import { useRenewSheet } from "../useRenewSheet";
import { MARKS } from "./desiredSchools";

const marks = v.pipe(
  v.string(),
  v.transform((typed) => typed.normalize("NFKC").trim()),
  v.nonEmpty("REQUIRED"),
  v.regex(/^\d{1,3}$/, "INVALID_FORMAT"),
  v.transform(Number),
  v.minValue(MARKS.min, "OUT_OF_RANGE"),
  v.maxValue(MARKS.max, "OUT_OF_RANGE"),
);

const department = v.pipe(v.string(), v.nonEmpty("REQUIRED"), v.transform(Number));

const schemas = {
  counting: v.object({ department_id: department, school_marks: marks }),
  plain: v.object({
    department_id: department,
    school_marks: v.pipe(
      v.string(),
      v.transform(() => null),
    ),
  }),
};

interface DepartmentFormProps {
  exam: number;
  rank: number;
  school: School;
  /** The saved school of this rank, if it is this school. */
  current: DesiredSchool | undefined;
  /** Returns to the search. */
  onOther: () => void;
}

/** The form for the department of a chosen school, and for the marks if the school uses them. */
export function DepartmentForm({ exam, rank, school, current, onOther }: DepartmentFormProps) {
  const { departments, counts_school_marks: counts } = school;
  const only = departments.length === 1 ? departments[0]?.id : undefined;
  const form = useSchemaForm(counts ? schemas.counting : schemas.plain, {
    initialValues: {
      department_id: String(current?.department.id ?? only ?? ""),
      school_marks: String(current?.school_marks ?? ""),
    },
    sentences: "school",
  });
  const navigate = useNavigate();
  const renew = useRenewSheet();
  return (
    <Panel variant="raised" gap="md">
      <Group justify="space-between">
        <div>
          <Text bold>{school.name}</Text>
          <Note>
            {school.kana}・{school.prefecture}
          </Note>
        </div>
        <Button variant="default" size="sm" onClick={onOther}>
          ほかの学校にする
        </Button>
      </Group>
      <SaveForm
        label={`第${rank}志望`}
        form={form}
        save={(values) =>
          applications.saveDesiredSchool(exam, rank, { school_id: school.id, ...values })
        }
        onSaved={async () => {
          await renew();
          showBlue(`${school.name}を第${rank}志望にしました。`);
          await navigate(paths.desiredSchools(exam));
        }}
        failed="保存できませんでした"
        submit={`第${rank}志望にする`}
        busy="保存しています…"
        sentences="school"
      >
        <RadioGroup {...form.getInputProps("department_id")} label="学科・コース" required>
          {departments.map(({ id, name }, index) => (
            <Radio
              key={id}
              value={String(id)}
              label={name}
              data-path={index === 0 ? "department_id" : undefined}
            />
          ))}
        </RadioGroup>
        {counts && (
          <TextField
            {...form.getInputProps("school_marks")}
            name="school_marks"
            label="内申点（9教科の合計）"
            description={`通知表の5段階の数字を、9教科ぶん足した数です。${MARKS.min}から${MARKS.max}まで。`}
            inputMode="numeric"
            autoComplete="off"
            required
          />
        )}
      </SaveForm>
    </Panel>
  );
}
