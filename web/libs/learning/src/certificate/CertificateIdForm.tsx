import { paths } from "@konomana/paths";
import { Button, Stack, TitledPanel } from "@konomana/ui-base";
import { TextField } from "@konomana/ui-kit";
import { type FormEvent, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { parseCertificateId } from "./certificateId";

interface CertificateIdFormProps {
  title: string;
}

/** A field for the number of a certificate. It opens the check of that certificate. */
export function CertificateIdForm({ title }: CertificateIdFormProps) {
  const navigate = useNavigate();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState("");
  const [isWrong, setWrong] = useState(false);
  const send = (event: FormEvent) => {
    event.preventDefault();
    const id = parseCertificateId(typed);
    setWrong(id === null);
    if (id === null) input.current?.focus();
    else void navigate(paths.certificate(id));
  };
  return (
    <TitledPanel title={title} gap="md">
      <form method="dialog" noValidate onSubmit={send} aria-label={title}>
        <Stack gap="md">
          <TextField
            ref={input}
            name="certificate"
            label="証明書番号"
            description="修了証の左下にある、32文字の数字とアルファベットです。ハイフンは、なくてもかまいません。"
            error={
              isWrong &&
              "番号は、0から9の数字とaからfのアルファベットで32文字です。もう一度ご確認ください。"
            }
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
          />
          <Button type="submit" className="kn-start">
            確かめる
          </Button>
        </Stack>
      </form>
    </TitledPanel>
  );
}
