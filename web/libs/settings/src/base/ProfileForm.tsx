import { settings } from "../api";
import type { User } from "@konomana/session";
import { SaveForm } from "@konomana/query";
import {
  BirthDateField,
  dayInWords,
  NameFields,
  SchoolYearField,
  schoolYearFrom,
  useSchemaForm,
} from "@konomana/form";
import { paths } from "@konomana/paths";
import { hasScope, keepUser } from "@konomana/session";
import { Alert, TextLink, showBlue } from "@konomana/ui-base";
import { CheckboxField, TextField } from "@konomana/ui-kit";
import { profileSchema, type TypedProfile } from "./profile";

/** The form for name, birth date, school and news. Only learners have school fields. */
export function ProfileForm({ user }: { user: User }) {
  const form = useSchemaForm(profileSchema, {
    initialValues: typedFrom(user),
  });
  const field = (name: keyof TypedProfile) => form.getInputProps(name);
  return (
    <SaveForm
      label="ご本人の情報"
      form={form}
      save={settings.saveProfile}
      onSaved={(saved) => {
        keepUser(saved);
        form.setValues(typedFrom(saved));
        showBlue(
          hasNewRequest(saved, user)
            ? "生年月日のほかを保存しました。生年月日の変更には、確認が必要です。"
            : "基本情報を保存しました。",
        );
      }}
      failed="保存できませんでした"
      submit="保存する"
      busy="保存しています…"
    >
      <NameFields
        lastName={field("last_name")}
        firstName={field("first_name")}
        lastNameKana={field("last_name_kana")}
        firstNameKana={field("first_name_kana")}
      />
      <BirthDateField {...field("birth_date")} />
      {user.requested_birth_date && <RequestedBirthDate requested={user.requested_birth_date} />}
      {hasScope(user, "learner") && (
        <>
          <SchoolYearField {...field("school_year")} birthDate={form.values.birth_date} />
          <TextField
            {...field("school_name")}
            name="school_name"
            label="学校名（なくてもかまいません）"
            autoComplete="organization"
          />
        </>
      )}
      <CheckboxField
        {...form.getInputProps("news", { type: "checkbox" })}
        name="news"
        label="新しい講座やイベントのお知らせをメールで受け取る"
      />
    </SaveForm>
  );
}

/** Whether this save created a pending change of the birth date. */
function hasNewRequest(saved: User, before: User): boolean {
  const asked = saved.requested_birth_date?.asked;
  return asked !== undefined && asked !== before.requested_birth_date?.asked;
}

/** A pending change of the birth date, and who decides on it. */
function RequestedBirthDate({
  requested,
}: {
  requested: NonNullable<User["requested_birth_date"]>;
}) {
  return (
    <Alert color="blue" title="生年月日の変更を確認しています" role="status">
      {dayInWords(requested.birth_date)}
      への変更は、まだ反映されていません。18歳になる日が早まる変更には、保護者の方の確認が必要です。
      {requested.is_guardian_asked ? (
        "保護者の方にメールをお送りしました。48時間以内に承認してもらってください。"
      ) : (
        <>
          確認できる保護者の方がいないか、メールの期限が切れています。上の「保護者の同意」を済ませてからもう一度保存するか、
          <TextLink to={paths.contact()} inline>
            お問い合わせ
          </TextLink>
          からご連絡ください。
        </>
      )}
    </Alert>
  );
}

/**
 * The initial values of the form. A school year that follows from the birth date counts as not
 * chosen.
 */
function typedFrom(user: User): TypedProfile {
  const birthDate = user.birth_date ?? "";
  const year = user.school_year ?? "";
  return {
    last_name: user.last_name,
    first_name: user.first_name,
    last_name_kana: user.last_name_kana,
    first_name_kana: user.first_name_kana,
    birth_date: birthDate,
    school_year: year === schoolYearFrom(birthDate) ? "" : year,
    school_name: user.school_name,
    news: user.news,
  };
}
