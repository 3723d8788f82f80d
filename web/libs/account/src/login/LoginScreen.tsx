import { ApiError, errorSentence, sentenceOf, type Credentials } from "@konomana/api";
import { ensureUser, login, restorePath, useSession } from "@konomana/session";
import { Alert, Button, EmailField, Head, Paper, PasswordField, Stack, Title } from "@konomana/ui";
import { schemaResolver, useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, type KeyboardEvent } from "react";
import { redirect, useNavigate } from "react-router";
import { parse } from "valibot";
import { credentialsSchema } from "./credentials";
import styles from "./LoginScreen.module.css";

/** Who is signed in already goes straight on; when that can't be found out, the form is there to sign in. */
export async function loader() {
  const user = await ensureUser().catch(() => null);
  return user ? redirect(restorePath()) : null;
}

/** /login: e-mail and password; afterwards back to the remembered path, or to /mypage. */
export function Component() {
  const { loggedIn } = useSession();
  const navigate = useNavigate();
  const alert = useRef<HTMLDivElement>(null);
  const form = useForm<Credentials>({
    mode: "uncontrolled",
    initialValues: { email: "", password: "" },
    validate: schemaResolver(credentialsSchema, { sync: true }),
    validateInputOnBlur: true,
  });
  const signingIn = useMutation({
    mutationFn: login,
    networkMode: "always",
    onError: (error) => {
      form.setErrors(fieldErrors(error));
      alert.current?.focus();
    },
  });

  // Also when it was another tab that signed in.
  useEffect(() => {
    if (loggedIn) void navigate(restorePath(), { replace: true });
  }, [loggedIn, navigate]);

  const submit = form.onSubmit(
    (typed) => {
      if (!signingIn.isPending) signingIn.mutate(parse(credentialsSchema, typed));
    },
    (errors) => form.getInputNode(Object.keys(errors)[0] ?? "email")?.focus(),
  );

  return (
    <div className={styles.page}>
      <Head title="ログイン" />
      <Paper className={styles.card} radius="lg">
        <Title order={1} size="h2" ta="center">
          ログイン
        </Title>
        <form onSubmit={submit} noValidate aria-label="ログイン">
          <Stack gap="lg">
            <div ref={alert} tabIndex={-1} className={styles.alert}>
              {signingIn.isError && (
                <Alert color="red" variant="light" title="ログインできませんでした">
                  {sentenceOf(signingIn.error)}
                </Alert>
              )}
            </div>
            <EmailField
              key={form.key("email")}
              {...form.getInputProps("email")}
              onKeyDown={keepComposing}
              name="email"
              autoComplete="username"
              required
              withAsterisk={false}
            />
            <PasswordField
              key={form.key("password")}
              {...form.getInputProps("password")}
              onKeyDown={keepComposing}
              purpose="current-password"
              name="password"
              required
              withAsterisk={false}
            />
            <Button type="submit" size="lg" fullWidth aria-disabled={signingIn.isPending}>
              {signingIn.isPending ? "ログインしています…" : "ログイン"}
            </Button>
          </Stack>
        </form>
      </Paper>
    </div>
  );
}

/** Enter that ends a Japanese conversion picks the word; it does not send the form. */
function keepComposing(event: KeyboardEvent) {
  if (event.key === "Enter" && event.nativeEvent.isComposing) event.preventDefault();
}

function fieldErrors(error: Error): Record<string, string> {
  const errors = error instanceof ApiError ? error.errors : [];
  return Object.fromEntries(errors.map(({ field, code }) => [field, errorSentence(code)]));
}
