import { sentenceOf } from "@konomana/http";
import { paths } from "@konomana/paths";
import { SaveFileButton } from "@konomana/query";
import {
  Button,
  Checkbox,
  formatDate,
  Group,
  Note,
  showMessage,
  Text,
  TextLink,
} from "@konomana/ui-base";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import {
  type Certificate,
  certificatePdf,
  certificateQuery,
  setCertificateVisibility,
} from "./certificateCalls";

interface IssuedCertificateProps {
  course: number;
  certificate: Certificate;
}

/** An issued certificate: its PDF, the address where anyone can check it, and the name there. */
export function IssuedCertificate({ course, certificate }: IssuedCertificateProps) {
  const { id, issued_at, check_url } = certificate;
  return (
    <>
      <Text>{formatDate(issued_at)}に発行した修了証です。</Text>
      <SaveFileButton
        name={`certificate-${id}.pdf`}
        load={() => certificatePdf(id)}
        what="修了証のPDF"
      />
      <div>
        <Text size="sm" bold>
          確認ページのアドレス
        </Text>
        <Text size="sm" className="kn-code">
          {check_url}
        </Text>
        <Note mb="xs">学校などに伝えると、修了証が本物であることを確かめてもらえます。</Note>
        <Group gap="sm">
          <CopyAddress address={check_url} />
          <TextLink to={paths.certificate(id)}>確認ページを開く</TextLink>
        </Group>
      </div>
      <NameSwitch course={course} certificate={certificate} />
    </>
  );
}

function CopyAddress({ address }: { address: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address);
      setCopied(true);
    } catch {
      showMessage("コピーできませんでした。アドレスを長押しして、コピーしてください。");
    }
  };
  return (
    <Button variant="default" size="sm" onClick={() => void copy()}>
      <span aria-live="polite">{isCopied ? "コピーしました" : "アドレスをコピー"}</span>
    </Button>
  );
}

/** Whether the page that checks the certificate shows the learner's name. */
function NameSwitch({ course, certificate }: IssuedCertificateProps) {
  const { id, learner_name, is_name_shown } = certificate;
  const note = useId();
  const queries = useQueryClient();
  const changing = useMutation({
    mutationFn: (isShown: boolean) => setCertificateVisibility(id, isShown),
    scope: { id: `certificate-${id}` },
    onSuccess: (changed) =>
      queries.setQueryData(
        certificateQuery(course).queryKey,
        (state) => state && { ...state, certificate: changed },
      ),
    onError: (error) => showMessage(`名前の表示を変えられませんでした。${sentenceOf(error)}`),
  });
  const isShown = changing.isPending ? changing.variables : is_name_shown;
  return (
    <div>
      <Checkbox
        label="確認ページに名前を表示する"
        checked={isShown}
        aria-describedby={note}
        onChange={({ currentTarget }) => changing.mutate(currentTarget.checked)}
      />
      <Note id={note}>
        {isShown
          ? `アドレスを知っている人には、「${learner_name}」という名前も見えます。`
          : "アドレスを知っている人にも、名前は見えません。講座と発行日だけが見えます。"}
      </Note>
    </div>
  );
}
