import {
  choiceOf,
  limits,
  lineOf,
  NameFields,
  prefectures,
  rules,
  schoolYears,
  useSchemaForm,
} from "@konomana/form";
import { SaveForm } from "@konomana/query";
import { paths } from "@konomana/paths";
import { createDraft } from "@konomana/session";
import { Text } from "@konomana/ui-base";
import { SelectField, TextField } from "@konomana/ui-kit";
import { useState } from "react";
import { useNavigate } from "react-router";
import * as v from "valibot";
import { applications, type BasicInfo } from "../../api";
import { useRenewSheet } from "../useRenewSheet";

const schema = v.object({
  last_name: rules.name,
  first_name: rules.name,
  last_kana: rules.kana,
  first_kana: rules.kana,
  school_year: rules.schoolYear,
  school_name: lineOf(limits.schoolName),
  prefecture: choiceOf(prefectures),
});

const fields = [
  "last_name",
  "first_name",
  "last_kana",
  "first_kana",
  "school_year",
  "school_name",
  "prefecture",
] as const;

interface BasicInfoFormProps {
  /** The exam's identifier. */
  exam: number;
  /** The initial values. */
  known: BasicInfo;
  /** Whether the server has these values. Otherwise they come from the profile. */
  isSaved: boolean;
}

/** The form for the candidate's data. Input survives a reload until it is saved. */
export function BasicInfoForm({ exam, known, isSaved }: BasicInfoFormProps) {
  const [draft] = useState(() => createDraft<BasicInfo>(`exam-${exam}.basic-info`, fields));
  const form = useSchemaForm(schema, {
    initialValues: { ...known, ...draft.read() },
    onValuesChange: draft.write,
  });
  const navigate = useNavigate();
  const renew = useRenewSheet();
  const field = (name: keyof BasicInfo) => form.getInputProps(name);
  return (
    <>
      {!isSaved && (
        <Text>プロフィールから入れてあります。ちがうところを直して、保存してください。</Text>
      )}
      <SaveForm
        label="基本情報"
        form={form}
        save={(values) => applications.saveBasicInfo(exam, values)}
        onSaved={async () => {
          draft.clear();
          await renew();
          await navigate(paths.desiredSchools(exam));
        }}
        failed="保存できませんでした"
        submit="保存して志望校へ進む"
        busy="保存しています…"
      >
        <NameFields
          lastName={field("last_name")}
          firstName={field("first_name")}
          lastNameKana={field("last_kana")}
          firstNameKana={field("first_kana")}
        />
        <SelectField
          {...field("school_year")}
          name="school_year"
          label="学年"
          data={[{ value: "", label: "選んでください" }, ...schoolYears]}
          required
        />
        <TextField
          {...field("school_name")}
          name="school_name"
          label="通っている学校の名前"
          autoComplete="organization"
          required
        />
        <SelectField
          {...field("prefecture")}
          name="prefecture"
          label="住んでいる都道府県"
          autoComplete="address-level1"
          data={[{ value: "", label: "選んでください" }, ...prefectures]}
          required
        />
      </SaveForm>
    </>
  );
}
