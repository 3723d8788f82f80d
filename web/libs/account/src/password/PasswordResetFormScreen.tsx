import { entry, type ResetLink } from "../api";
import { errorSentence } from "@konomana/http";
import { QueryBoundary, SaveForm } from "@konomana/query";
import { NewPasswordField, rules, useSchemaForm } from "@konomana/form";
import { paths } from "@konomana/paths";
import { LoadingState, Text, ButtonLink } from "@konomana/ui-base";
import { useLocation, useNavigate } from "react-router";
import * as v from "valibot";
import { EntryPage } from "../parts/EntryPage";
import { useLinkCheck } from "../parts/useLinkCheck";

const schema = v.object({ password: rules.newPassword });
const linkSchema = v.object({ uid: v.string(), token: v.string() });

/** /login/password/reset: the form for a new password. The mail's link redirects to it. */
export function PasswordResetFormScreen() {
  const link = v.safeParse(linkSchema, useLocation().state);
  return (
    <EntryPage title="新しいパスワード">
      {link.success ? <CheckedForm link={link.output} /> : <NoLink />}
    </EntryPage>
  );
}

function CheckedForm({ link }: { link: ResetLink }) {
  const { uid, token } = link;
  const check = useLinkCheck([uid, token], (signal) => entry.checkReset(link, signal));
  return (
    <QueryBoundary query={check} loading={<LoadingState rows={2} height="3rem" />}>
      {({ alive }) => (alive ? <ResetForm link={link} /> : <DeadLink />)}
    </QueryBoundary>
  );
}

/** Shown when the address is opened without the mail's link, e.g. from a bookmark. */
function NoLink() {
  return (
    <>
      <Text>
        この画面は、メールのリンクから開きます。届いたメールのリンクを、もう一度開いてください。
      </Text>
      <AskAgain />
    </>
  );
}

function DeadLink() {
  return (
    <>
      <Text>{errorSentence("LINK_DEAD")}</Text>
      <AskAgain />
    </>
  );
}

function AskAgain() {
  return (
    <ButtonLink to={paths.password()} size="lg" fullWidth>
      もう一度メールを送る
    </ButtonLink>
  );
}

function ResetForm({ link }: { link: ResetLink }) {
  const navigate = useNavigate();
  const form = useSchemaForm(schema, {
    initialValues: { password: "" },
  });
  return (
    <>
      <Text>
        新しいパスワードに変えると、ログイン中のすべての端末でログアウトします。パスキーは、ログインして確かめるまで使えなくなります。
      </Text>
      <SaveForm
        label="パスワードの再設定"
        form={form}
        save={({ password }) => entry.reset({ ...link, password })}
        onSaved={() => void navigate(paths.passwordResetComplete(), { replace: true })}
        failed="変えられませんでした"
        submit="パスワードを変える"
        busy="変えています…"
      >
        <NewPasswordField {...form.getInputProps("password")} label="新しいパスワード" />
      </SaveForm>
    </>
  );
}
