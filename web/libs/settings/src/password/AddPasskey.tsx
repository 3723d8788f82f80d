import { passkeysQuery, settings } from "../api";
import { SaveForm, wrongPassword } from "@konomana/query";
import { CurrentPasswordField, limits, nameOf, rules, useSchemaForm } from "@konomana/form";
import { Button, showBlue, Text } from "@konomana/ui-base";
import { TextField } from "@konomana/ui-kit";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import * as v from "valibot";
import { makePasskey } from "./webauthn";

const schema = v.object({ name: nameOf(limits.passkeyName), password: rules.password });

/** Messages for cases in which no passkey was created although nothing failed. */
const reasons = {
  cancelled: "パスキーは追加されませんでした。もう一度お試しください。",
  known: "この端末のパスキーは、もう追加されています。",
} as const;

/** Adds a passkey. The form opens on demand. */
export function AddPasskey() {
  const [wanted, setWanted] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const added = () => {
    setWanted(false);
    opener.current?.focus();
  };
  return (
    <>
      <div>
        <Button
          ref={opener}
          variant="default"
          aria-expanded={wanted}
          onClick={() => setWanted(!wanted)}
        >
          {wanted ? "追加をやめる" : "パスキーを追加する"}
        </Button>
      </div>
      {wanted && <AddForm onAdded={added} />}
    </>
  );
}

/** Asks for the password, lets the device create a passkey, and sends it to the server. */
function AddForm({ onAdded }: { onAdded: () => void }) {
  const queries = useQueryClient();
  const [reason, setReason] = useState<keyof typeof reasons | null>(null);
  const form = useSchemaForm(schema, {
    initialValues: { name: "", password: "" },
    sentences: "passkey",
    validateInputOnBlur: false,
  });
  const add = async ({ name, password }: { name: string; password: string }) => {
    setReason(null);
    const { challenge, options } = await settings.passkeyOptions(password);
    const made = await makePasskey(options.publicKey);
    if (typeof made === "string") return made;
    await settings.addPasskey({ challenge, name, credential: { ...made.credential } });
    return null;
  };
  return (
    <SaveForm
      label="パスキーの追加"
      form={form}
      save={add}
      onSaved={async (missed) => {
        setReason(missed);
        if (missed !== null) return;
        showBlue("パスキーを追加しました。");
        await queries.invalidateQueries(passkeysQuery);
        onAdded();
      }}
      failed="パスキーを追加できませんでした"
      submit="追加する"
      busy="端末の画面で確かめてください…"
      refusals={wrongPassword}
      sentences="passkey"
    >
      <TextField
        {...form.getInputProps("name")}
        name="passkey-name"
        label="パスキーの名前"
        description="あとで見分けるための名前です。例：自分のスマホ"
        autoComplete="off"
        required
      />
      <CurrentPasswordField {...form.getInputProps("password")} />
      <Text role="status">{reason !== null && reasons[reason]}</Text>
    </SaveForm>
  );
}
