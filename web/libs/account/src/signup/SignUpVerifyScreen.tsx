import { entry, type SignUpVerified } from "../api";
import { paths } from "@konomana/paths";
import { Text, ButtonLink, TextLink } from "@konomana/ui-base";
import { useState } from "react";
import { useNavigate } from "react-router";
import { ActionButton } from "../parts/ActionButton";
import { EntryPage } from "../parts/EntryPage";
import { useLinkToken } from "../parts/useLinkToken";
import { pendingSignUp } from "./pendingSignUp";
import { VerifyByCode } from "./VerifyByCode";

const page = { title: "メールアドレスの確認", step: "ステップ 2 / 3" };

/**
 * /signup/verify: confirms the address with the code of the mail or with its link. The link may be
 * opened on another device.
 */
export function SignUpVerifyScreen() {
  const token = useLinkToken();
  const navigate = useNavigate();
  const [pending] = useState(pendingSignUp.read);

  const goOn = ({ signup, email, kind }: SignUpVerified, byLink: boolean) => {
    pendingSignUp.keep({ signup, email, kind, verified: true, byLink, resendAt: 0 });
    void navigate(paths.signupComplete());
  };

  if (token !== null) {
    return (
      <EntryPage
        {...page}
        links={
          <>
            {pending !== null && (
              <TextLink to={paths.signupVerify()}>確認コードを入力して続ける</TextLink>
            )}
            <TextLink to={paths.signup()}>はじめから登録する</TextLink>
          </>
        }
      >
        <Text>ボタンを押すと、メールアドレスの確認が終わります。</Text>
        <Text size="sm" dimmed>
          リンクから続けるときは、安全のため、パスワードをもう一度決めていただきます。メールの6桁の確認コードを、登録を始めた画面に入力すると、はじめに決めたパスワードのまま続けられます。
        </Text>
        <ActionButton
          label="登録を続ける"
          busy="確認しています…"
          failed="確認できませんでした"
          call={() => entry.verify({ token })}
          onDone={(verified) => goOn(verified, true)}
        />
      </EntryPage>
    );
  }
  if (pending === null) {
    return (
      <EntryPage {...page}>
        <Text>
          この画面は、登録の途中で開きます。お手元に確認メールがあるときは、メールのリンクを開いてください。
        </Text>
        <ButtonLink to={paths.signup()} size="lg" fullWidth>
          新規登録へ
        </ButtonLink>
      </EntryPage>
    );
  }
  return (
    <EntryPage {...page} links={<TextLink to={paths.signup()}>メールアドレスを直す</TextLink>}>
      <VerifyByCode pending={pending} onVerified={(verified) => goOn(verified, false)} />
    </EntryPage>
  );
}
