import { entry, type SignUpVerified } from "../api";
import { SaveForm } from "@konomana/query";
import { CodeField, rules, useSchemaForm } from "@konomana/form";
import { Text } from "@konomana/ui-base";
import * as v from "valibot";
import { Elsewhere } from "./Elsewhere";
import type { PendingSignUp } from "./pendingSignUp";
import { ResendButton } from "./ResendButton";

const schema = v.object({ code: rules.code });

interface VerifyByCodeProps {
  pending: PendingSignUp;
  onVerified: (verified: SignUpVerified) => void;
}

/** Takes the six-digit code. Notices when the mail's link was opened elsewhere. */
export function VerifyByCode({ pending, onVerified }: VerifyByCodeProps) {
  const form = useSchemaForm(schema, {
    initialValues: { code: "" },
  });
  return (
    <>
      <Elsewhere pending={pending} />
      <Text>
        <strong>{pending.email}</strong>
        に、6桁の確認コードをお送りしました。24時間以内に入力してください。メールのリンクを開いても、続けられます。
      </Text>
      <SaveForm
        label="メールアドレスの確認"
        form={form}
        save={({ code }) => entry.verify({ signup: pending.signup, code })}
        onSaved={onVerified}
        failed="確認できませんでした"
        submit="確認する"
        busy="確認しています…"
      >
        <CodeField {...form.getInputProps("code")} />
      </SaveForm>
      <div>
        <Text size="sm" dimmed>
          届かないときは、迷惑メールのフォルダーと、メールアドレスのまちがいをお確かめください。
        </Text>
        <ResendButton pending={pending} onSent={() => form.reset()} />
      </div>
    </>
  );
}
