import { ApiError } from "@konomana/http";
import type { Credentials } from "@konomana/session";
import { SaveForm } from "@konomana/query";
import { rules, useSchemaForm } from "@konomana/form";
import { Alert, ButtonLink, Stack, TextLink } from "@konomana/ui-base";
import { paths } from "@konomana/paths";
import { login, type LoginReason, loginReason, restorePath, useSession } from "@konomana/session";
import { EmailField, PasswordField } from "@konomana/ui-kit";
import { useEffect, useState } from "react";
import { useNavigate } from "react-router";
import * as v from "valibot";
import { EntryPage } from "../parts/EntryPage";
import { Closing } from "./Closing";
import { canUsePasskeys } from "./passkey";
import { PasskeyLogin } from "./PasskeyLogin";
import { unfinishedLogin } from "./unfinished";

const schema = v.object({ email: rules.email, password: rules.password });

/** The message for each reason. */
const reasons: Readonly<Record<LoginReason, string>> = {
  needed: "続けるにはログインしてください。",
  signedOut: "ログアウトしました。",
  expired: "前のログインから30日がたちました。続けるには、もう一度ログインしてください。",
  ended:
    "別の端末での操作により、ログインが終了しました。心当たりがないときは、パスワードを変えてください。",
};

/** Wrong attempts before a password reset is offered. */
const TRIES = 3;

/** An account scheduled for closing, with correct credentials. */
interface ClosingAccount {
  credentials: Credentials;
  eraseAt: string | null;
}

/** /login: e-mail and password; afterwards back to the remembered path, or to /mypage. */
export function LoginScreen() {
  const { loggedIn } = useSession();
  const navigate = useNavigate();
  const [closing, setClosing] = useState<ClosingAccount | null>(null);
  const [reason] = useState(loginReason.read);
  const [misses, setMisses] = useState(0);
  const form = useSchemaForm(schema, {
    initialValues: { email: "", password: "" },
  });

  useEffect(() => loginReason.forget, []);

  // Also runs when another tab signed in.
  useEffect(() => {
    if (loggedIn) void navigate(restorePath(), { replace: true });
  }, [loggedIn, navigate]);

  const signIn = async (credentials: Credentials) => {
    try {
      await login(credentials);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code === "PASSWORD_CHANGE_REQUIRED") {
        unfinishedLogin.keep(credentials);
        await navigate(paths.passwordChange());
      } else if (error.code === "ACCOUNT_CLOSING") {
        const { erase_at: eraseAt } = error.details;
        setClosing({ credentials, eraseAt: typeof eraseAt === "string" ? eraseAt : null });
      } else {
        if (error.code === "BAD_CREDENTIALS") setMisses((before) => before + 1);
        throw error;
      }
    }
  };

  // Passes the address on, so the person need not type it again.
  const typed = { email: form.values.email };

  if (closing) return <Closing {...closing} onBack={() => setClosing(null)} />;
  return (
    <EntryPage
      title="ログイン"
      links={
        <>
          <TextLink to={paths.password()} state={typed}>
            パスワードを忘れた方
          </TextLink>
          <TextLink to={paths.signup()}>はじめての方は新規登録</TextLink>
        </>
      }
    >
      {reason !== null && <Alert color="blue">{reasons[reason]}</Alert>}
      <SaveForm
        label="ログイン"
        form={form}
        save={signIn}
        failed="ログインできませんでした"
        submit="ログイン"
        busy="ログインしています…"
      >
        <EmailField
          {...form.getInputProps("email")}
          name="email"
          autoComplete="username"
          required
        />
        <PasswordField
          {...form.getInputProps("password")}
          purpose="current-password"
          name="password"
          required
        />
      </SaveForm>
      <div role="status">
        {misses >= TRIES && (
          <Alert color="blue" title="パスワードを思い出せないときは">
            <Stack gap="sm" align="start">
              メールで届くリンクから、新しいパスワードを決められます。
              <ButtonLink to={paths.password()} state={typed} variant="default">
                新しいパスワードを決める
              </ButtonLink>
            </Stack>
          </Alert>
        )}
      </div>
      {canUsePasskeys() && <PasskeyLogin />}
    </EntryPage>
  );
}
