import { entry, type SignUpStarted } from "../api";
import { SaveForm } from "@konomana/query";
import {
  AgreementField,
  type FieldProps,
  NewPasswordField,
  rules,
  useSchemaForm,
} from "@konomana/form";
import { paths } from "@konomana/paths";
import { rememberPath } from "@konomana/session";
import { wantedCourse, rememberedCampaign } from "@konomana/visitor";
import { TextLink, Group, Stack } from "@konomana/ui-base";
import { EmailField, Radio, RadioGroup } from "@konomana/ui-kit";
import { useEffect } from "react";
import { useNavigate, useSearchParams } from "react-router";
import * as v from "valibot";
import { NewTabLink } from "../parts/NewTabLink";
import { EntryPage } from "../parts/EntryPage";
import { type Beginning, beginningDraft } from "./signUpDrafts";
import { pendingSignUp } from "./pendingSignUp";

const schema = v.object({
  kind: rules.kind,
  email: rules.email,
  password: rules.newPassword,
  terms: rules.agreement,
  news: v.boolean(),
});

const empty: Beginning = { kind: "", email: "", password: "", terms: false, news: false };

function signUp(sent: v.InferOutput<typeof schema>): Promise<SignUpStarted> {
  const campaign = rememberedCampaign();
  return entry.signUp(campaign === undefined ? sent : { ...sent, campaign });
}

/** /signup: kind of account, address and password. */
export function SignUpScreen() {
  const navigate = useNavigate();
  const [query] = useSearchParams();
  // A page for guardians preselects the kind.
  const asked = query.get("kind") === "guardian" && { kind: "guardian" };
  const course = Number(query.get("course"));
  useEffect(() => {
    if (!Number.isSafeInteger(course) || course < 1) return;
    rememberPath(paths.course(course));
    wantedCourse.keep(course);
  }, [course]);
  const form = useSchemaForm(schema, {
    initialValues: { ...empty, ...beginningDraft.read(), ...asked },
    onValuesChange: beginningDraft.write,
  });

  const onSaved = (
    { signup, resend_after }: SignUpStarted,
    { email, kind }: v.InferOutput<typeof schema>,
  ) => {
    const resendAt = Date.now() + resend_after * 1000;
    pendingSignUp.keep({ signup, email, kind, verified: false, byLink: false, resendAt });
    void navigate(paths.signupVerify());
  };

  return (
    <EntryPage
      title="新規登録"
      step="ステップ 1 / 3"
      links={<TextLink to={paths.login()}>登録がお済みの方はログイン</TextLink>}
    >
      <SaveForm
        label="新規登録"
        form={form}
        save={signUp}
        onSaved={onSaved}
        failed="登録できませんでした"
        submit="確認メールを送る"
        busy="送っています…"
      >
        <KindField {...form.getInputProps("kind")} />
        <EmailField
          {...form.getInputProps("email")}
          name="email"
          autoComplete="username"
          description="確認のメールをお送りします。"
          required
        />
        <NewPasswordField {...form.getInputProps("password")} />
        <Stack gap="sm">
          <AgreementField
            {...form.getInputProps("terms", { type: "checkbox" })}
            name="terms"
            label="利用規約およびプライバシーポリシーに同意します"
            description={
              <>
                新しいタブで読む：<NewTabLink to={paths.eula()}>利用規約</NewTabLink>・
                <NewTabLink to={paths.privacy()}>プライバシーポリシー</NewTabLink>
              </>
            }
          />
          <AgreementField
            {...form.getInputProps("news", { type: "checkbox" })}
            name="news"
            label="お知らせのメールを受け取ります（いつでもやめられます）"
          />
        </Stack>
      </SaveForm>
    </EntryPage>
  );
}

/**
 * The kind of account. If none is chosen, the first choice takes the focus, because a group can't.
 */
function KindField({ "data-path": path, ...field }: FieldProps & { "data-path"?: string }) {
  return (
    <RadioGroup {...field} name="kind" label="お使いになる方">
      <Group mt="xxs" gap="xl">
        <Radio value="learner" label="生徒" data-path={path} />
        <Radio value="guardian" label="保護者" />
      </Group>
    </RadioGroup>
  );
}
