import { ApiError } from "@konomana/http";
import { QueryBoundary } from "@konomana/query";
import { Alert, formatDate, LoadingState, Page, Panel, Stack } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { type CheckedCertificate, checkedCertificateQuery } from "./certificateCalls";
import { parseCertificateId } from "./certificateId";
import { CertificateIdForm } from "./CertificateIdForm";

/** /certificate/{certificate}: whether a certificate is valid, for anyone who has its address. */
export function CheckedCertificateScreen() {
  const { certificate = "" } = useParams();
  const id = parseCertificateId(certificate);
  return (
    <Page title="修了証の確認" narrow>
      <Stack gap="lg">
        {id === null ? <UnknownCertificate /> : <CertificateOutcome id={id} />}
        <CertificateIdForm key={certificate} title="ほかの修了証を確かめる" />
      </Stack>
    </Page>
  );
}

function CertificateOutcome({ id }: { id: string }) {
  const query = useQuery(checkedCertificateQuery(id));
  if (query.error instanceof ApiError && query.error.status === 404) return <UnknownCertificate />;
  return (
    <QueryBoundary query={query} loading={<LoadingState rows={1} height="12rem" />} part>
      {(checked) => <ValidCertificate id={id} checked={checked} />}
    </QueryBoundary>
  );
}

function UnknownCertificate() {
  return (
    <Alert color="red" title="この番号の修了証は見つかりません">
      番号がちがうか、持ち主が退会して、なくなっています。修了証の番号をもう一度ご確認ください。
    </Alert>
  );
}

interface ValidCertificateProps {
  id: string;
  checked: CheckedCertificate;
}

function ValidCertificate({ id, checked }: ValidCertificateProps) {
  return (
    <Panel gap="md">
      <Alert color="blue" role="status" title="この修了証は有効です">
        コノマナが発行した修了証です。
      </Alert>
      <dl className="kn-pairs">
        <div>
          <dt>講座</dt>
          <dd>{checked.course_name}</dd>
        </div>
        <div>
          <dt>発行日</dt>
          <dd>{formatDate(checked.issued_at)}</dd>
        </div>
        <div>
          <dt>名前</dt>
          <dd>{checked.learner_name ?? "本人の希望により、表示していません"}</dd>
        </div>
        <div>
          <dt>証明書番号</dt>
          <dd className="kn-code">{id}</dd>
        </div>
      </dl>
    </Panel>
  );
}
