import { QueryBoundary } from "@konomana/query";
import { LoadingState, TitledPanel } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { certificateQuery, type CertificateState } from "./certificateCalls";
import { CertificateSteps } from "./CertificateSteps";
import { IssuedCertificate } from "./IssuedCertificate";
import { TakeCertificate } from "./TakeCertificate";

interface CertificatePanelProps {
  course: number;
}

/** The certificate of a course: what is still missing, the button to take it, or the certificate. */
export function CertificatePanel({ course }: CertificatePanelProps) {
  const query = useQuery(certificateQuery(course));
  return (
    <TitledPanel title="修了証" gap="md">
      <QueryBoundary query={query} loading={<LoadingState rows={1} height="5rem" />} part>
        {(state) => <CertificateContent course={course} state={state} />}
      </QueryBoundary>
    </TitledPanel>
  );
}

interface CertificateContentProps extends CertificatePanelProps {
  state: CertificateState;
}

function CertificateContent({ course, state: { progress, certificate } }: CertificateContentProps) {
  if (certificate !== null) return <IssuedCertificate course={course} certificate={certificate} />;
  if (progress.is_earned) return <TakeCertificate course={course} progress={progress} />;
  return <CertificateSteps progress={progress} />;
}
