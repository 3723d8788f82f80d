import { entry } from "../api";
import { SaveForm } from "@konomana/query";
import {
  BirthDateField,
  NameFields,
  NewPasswordField,
  refusedFields,
  SchoolYearField,
  validated,
} from "@konomana/form";
import { paths } from "@konomana/paths";
import { enter, restorePath } from "@konomana/session";
import { showBlue, showMessage, Text, ButtonLink } from "@konomana/ui-base";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { useNavigate } from "react-router";
import { EntryPage } from "../parts/EntryPage";
import { forgetSignUp, personDraft } from "./signUpDrafts";
import { GuardianFields } from "./GuardianFields";
import { type PendingSignUp, pendingSignUp } from "./pendingSignUp";
import { completed, consentOf, isMinorBorn, nobody, type Person, schemaFor } from "./person";

const page = { title: "お名前と生年月日", step: "ステップ 3 / 3", wide: true };

/** /signup/complete: the person's data. Signs in afterwards and goes to the remembered path. */
export function SignUpCompleteScreen() {
  const [pending] = useState(pendingSignUp.read);
  if (pending === null || !pending.verified) {
    return (
      <EntryPage {...page}>
        <Text>先に、メールアドレスの確認が必要です。</Text>
        <ButtonLink
          to={pending === null ? paths.signup() : paths.signupVerify()}
          size="lg"
          fullWidth
        >
          {pending === null ? "新規登録へ" : "メールアドレスの確認へ"}
        </ButtonLink>
      </EntryPage>
    );
  }
  return <PersonForm pending={pending} />;
}

function PersonForm({ pending }: { pending: PendingSignUp }) {
  const navigate = useNavigate();
  const form = useForm<Person>({
    initialValues: { ...nobody, ...personDraft.read() },
    onValuesChange: personDraft.write,
    validate: (person) => validated(schemaFor(pending, person))(person),
    validateInputOnBlur: true,
  });
  const isLearner = pending.kind === "learner";

  const complete = async (person: Person) => {
    const consent = consentOf(pending, person);
    const tokens = await entry.complete(completed(pending, person));
    forgetSignUp();
    // The account exists. If the user can't be loaded, the next screen asks again.
    await enter(tokens).catch(() => {});
    if (consent) await entry.askConsent(consent).catch(tellConsentFailed);
  };

  return (
    <EntryPage {...page}>
      <Text>
        {isLearner
          ? "学年に合った講座をご案内するために使います。"
          : "保護者の方ご自身のことを入力してください。"}
      </Text>
      <SaveForm
        label="お名前と生年月日"
        form={form}
        save={complete}
        onSaved={() => {
          showBlue("登録が終わりました。ようこそ、コノマナへ。");
          void navigate(restorePath(), { replace: true });
        }}
        failed="登録できませんでした"
        submit="登録する"
        busy="登録しています…"
      >
        <NameFields
          lastName={form.getInputProps("last_name")}
          firstName={form.getInputProps("first_name")}
          lastNameKana={form.getInputProps("last_name_kana")}
          firstNameKana={form.getInputProps("first_name_kana")}
        />
        <BirthDateField {...form.getInputProps("birth_date")} />
        {isLearner && (
          <SchoolYearField
            {...form.getInputProps("school_year")}
            birthDate={form.values.birth_date}
          />
        )}
        {pending.byLink && (
          <>
            <Text>
              パスワードを、ここでもう一度決めてください。リンクを開いた方が、登録を始めた方とは限らないため、はじめに入力したものは使われません。登録を始めた画面にメールの確認コードを入力すれば、はじめのパスワードのまま続けられます。
            </Text>
            {/* Tells password managers which account the password belongs to. */}
            <input
              type="text"
              name="username"
              autoComplete="username"
              value={pending.email}
              readOnly
              hidden
            />
            <NewPasswordField {...form.getInputProps("password")} />
          </>
        )}
        {isLearner && isMinorBorn(form.values.birth_date) && <GuardianFields form={form} />}
      </SaveForm>
    </EntryPage>
  );
}

/** A failed consent request only costs time: the settings have the same form. */
function tellConsentFailed(error: unknown): void {
  const about = refusedFields(error)["email"] ?? "";
  showMessage(
    `保護者の方に確認メールを送れませんでした。${about}設定の「基本情報」から、もう一度お試しください。`,
  );
}
