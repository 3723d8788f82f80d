import { entry, errorSentence, type ResetLink } from "@konomana/api";
import { Loaded, SaveForm } from "@konomana/calls";
import { NewPasswordField, refuseGuessable, rules, validated } from "@konomana/form";
import { paths } from "@konomana/paths";
import { Button, LoadingState, Text } from "@konomana/ui";
import { useForm } from "@mantine/form";
import { Link, useNavigate, useParams } from "react-router";
import * as v from "valibot";
import { EntryPage } from "../parts/EntryPage";
import { useLinkCheck } from "../parts/useLinkCheck";

const schema = v.object({ password: rules.newPassword });

/** /login/password/reset/{uid}/{token}: a new password, by the link of a mail. */
export function Component() {
  const { uid = "", token = "" } = useParams();
  const link: ResetLink = { uid, token };
  const check = useLinkCheck([uid, token], (signal) => entry.checkReset(link, signal));
  return (
    <EntryPage title="新しいパスワード">
      <Loaded query={check} loading={<LoadingState rows={2} height="3rem" />}>
        {({ alive }) => (alive ? <ResetForm link={link} /> : <DeadLink />)}
      </Loaded>
    </EntryPage>
  );
}

function DeadLink() {
  return (
    <>
      <Text>{errorSentence("LINK_DEAD")}</Text>
      <Button component={Link} to={paths.password()} size="lg" fullWidth>
        もう一度メールを送る
      </Button>
    </>
  );
}

function ResetForm({ link }: { link: ResetLink }) {
  const navigate = useNavigate();
  const form = useForm({
    initialValues: { password: "" },
    validate: validated(schema),
    validateInputOnBlur: true,
  });
  return (
    <>
      <Text>新しいパスワードに変えると、ログイン中のすべての端末でログアウトします。</Text>
      <SaveForm
        label="パスワードの再設定"
        form={form}
        save={async ({ password }) => {
          await refuseGuessable("password", password);
          await entry.reset({ ...link, password });
        }}
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
