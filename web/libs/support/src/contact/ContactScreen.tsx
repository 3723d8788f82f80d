import { SaveForm } from "@konomana/query";
import { fieldSentence, useSchemaForm } from "@konomana/form";
import { paths } from "@konomana/paths";
import { useSession } from "@konomana/session";
import { Panel, Page, VisuallyHidden } from "@konomana/ui-base";
import { EmailField, SelectField, TextField } from "@konomana/ui-kit";
import { useEffect, useRef } from "react";
import { Link, useNavigate } from "react-router";
import styles from "./ContactScreen.module.css";
import { empty, forget, kinds, type Message, messageDraft, schema, send } from "./message";
import { MessageField } from "./MessageField";
import { PictureField } from "./PictureField";

/** Form id, for error messages that are specific to this form. */
const FORM = "contact";

/** The server's errors for a picture, shown beside its field. */
const refusals = Object.fromEntries(
  (["PICTURE_TOO_LARGE", "PICTURE_UNREADABLE"] as const).map((code) => [
    code,
    { field: "picture", sentence: fieldSentence("picture", code, FORM) },
  ]),
);

const choices = [
  { value: "", label: "選んでください" },
  ...Object.entries(kinds).map(([value, label]) => ({ value, label })),
];

/** /contact: the contact form. Input stays until the message is sent. */
export function ContactScreen() {
  return (
    <Page
      title="お問い合わせ"
      description="コノマナへのお問い合わせフォームです。講座、登録、お支払い、画面の不具合など、なんでもお送りください。"
      lead={
        <>
          平日の3日以内に、メールでお返事します。
          <Link to={paths.answers()}>よくある質問</Link>で、すぐに解決できるかもしれません。
        </>
      }
      narrow
    >
      <p className={styles.withoutScripts}>
        このフォームから送るには、JavaScriptが必要です。お使いになれないときは、
        <Link to={paths.commerce()}>特定商取引法に基づく表記</Link>
        にあるメールアドレスへお送りください。
      </p>
      <Panel variant="raised" pad="lg">
        <ContactForm />
      </Panel>
    </Page>
  );
}

function ContactForm() {
  const navigate = useNavigate();
  const { user } = useSession();
  const form = useSchemaForm(schema, {
    initialValues: empty,
    onValuesChange: messageDraft.write,
    sentences: FORM,
  });
  const { setValues } = form;
  const previous = useRef(user);

  // After hydration, because the prerender knows neither the user nor the draft.
  useEffect(() => {
    const signedOut = previous.current !== null && previous.current.id !== user?.id;
    previous.current = user;
    const person =
      user === null ? {} : { name: `${user.last_name} ${user.first_name}`, email: user.email };
    setValues((typed) => ({
      // Another tab may sign the user out while this page is open. The next user gets an empty
      // form.
      ...(signedOut ? empty : {}),
      ...filled(person),
      ...filled(messageDraft.read()),
      ...(signedOut ? {} : filled(typed)),
    }));
  }, [setValues, user]);

  const takePicture = (picture: File | null) => {
    form.setFieldValue("picture", picture);
    form.validateField("picture");
  };

  return (
    <SaveForm
      label="お問い合わせ"
      form={form}
      save={send}
      onSaved={({ number, receipt }) => {
        forget();
        void navigate(paths.contactComplete(), { state: { number, receipt } });
      }}
      failed="送信できませんでした"
      submit="送信する"
      busy="送信しています…"
      refusals={refusals}
      sentences={FORM}
    >
      <SelectField
        {...form.getInputProps("kind")}
        name="kind"
        label="お問い合わせの種類"
        data={choices}
        required
      />
      <TextField
        {...form.getInputProps("name")}
        name="name"
        label="お名前"
        autoComplete="name"
        required
      />
      <EmailField
        {...form.getInputProps("email")}
        name="email"
        description="お返事をお送りします。"
        required
      />
      <MessageField {...form.getInputProps("text")} />
      <PictureField
        {...form.getInputProps("picture")}
        onChange={takePicture}
        onUnreadable={() =>
          form.setFieldError("picture", fieldSentence("picture", "PICTURE_UNREADABLE", FORM))
        }
      />
      {/* A honeypot: hidden from people, visible to bots that fill in every field. */}
      <VisuallyHidden aria-hidden="true">
        <label>
          ウェブサイト
          <input
            {...form.getInputProps("website")}
            name="website"
            tabIndex={-1}
            autoComplete="off"
          />
        </label>
      </VisuallyHidden>
    </SaveForm>
  );
}

/** The non-empty values, so an empty value overwrites nothing. */
function filled(values: Partial<Message>): Partial<Message> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => Boolean(value)));
}
