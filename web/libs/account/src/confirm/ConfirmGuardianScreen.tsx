import { entry } from "../api";
import { SaveForm } from "@konomana/query";
import { AgreementField, rules, useSchemaForm } from "@konomana/form";
import { Text } from "@konomana/ui-base";
import { TextField } from "@konomana/ui-kit";
import * as v from "valibot";
import { ConsentTerms } from "./ConsentTerms";
import { CheckedMailLink, type OpenedLink, type Outcome } from "./MailLink";

const agreed: Outcome = {
  title: "同意を受け付けました",
  text: "ありがとうございます。お子さまが講座を購入できるようになりました。控えのメールをお送りしました。同意は、そのメールのボタンからいつでも取り消せます。",
};

/** /confirm/guardian: a guardian gives consent. Opened from the link of the mail to them. */
export function ConfirmGuardianScreen() {
  return (
    <CheckedMailLink
      title="保護者の方の同意"
      check={entry.checkConsent}
      whenDead="同意がまだのときは、お子さまに、もう一度メールを送ってもらってください。"
    >
      {({ guardian_name, learner_name }, link) => (
        <>
          <Text>
            {guardian_name}さま。<strong>{learner_name}さん</strong>
            が、保護者の方の同意を求めています。
          </Text>
          <WhatItMeans />
          <AgreeForm {...link} />
          <Text size="sm" dimmed>
            心当たりがないときは、何もせずにこの画面を閉じてください。
          </Text>
        </>
      )}
    </CheckedMailLink>
  );
}

function WhatItMeans() {
  return (
    <section aria-labelledby="consent">
      <Text bold id="consent">
        同意していただく内容
      </Text>
      <ul className="kn-bullets">
        <li>お子さまがコノマナのアカウントを使って学習すること</li>
        <li>
          コノマナがお子さまのお名前、生年月日、学習の記録などを、プライバシーポリシーのとおりに使うこと
        </li>
        <li>お子さまが有料の講座などを購入できるようになること</li>
      </ul>
      <ConsentTerms />
      <Text size="sm" mt="sm">
        同意だけで料金がかかることはありません。同意の記録として、お名前と日時、通信元を読めない形に変えたものを保存します。
      </Text>
    </section>
  );
}

const schema = v.object({ guardian_name: rules.name, is_adult: rules.agreement });

/** Form id, for error messages that are specific to this form. */
const FORM = "consent";

function AgreeForm({ token, finish }: OpenedLink) {
  const form = useSchemaForm(schema, {
    initialValues: { guardian_name: "", is_adult: false },
    sentences: FORM,
    validateInputOnBlur: false,
  });
  return (
    <SaveForm
      label="保護者の方の同意"
      form={form}
      save={(agreement) => finish(entry.confirmConsent({ token, ...agreement }), agreed)}
      failed="送れませんでした"
      submit="同意する"
      busy="送っています…"
      sentences={FORM}
    >
      <TextField
        {...form.getInputProps("guardian_name")}
        name="guardian_name"
        label="保護者の方ご自身のお名前"
        autoComplete="name"
        required
      />
      <AgreementField
        {...form.getInputProps("is_adult", { type: "checkbox" })}
        name="is_adult"
        label="私は18歳以上で、お子さまの保護者です。"
        required
      />
    </SaveForm>
  );
}
