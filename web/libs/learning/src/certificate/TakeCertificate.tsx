import { FailureAlert } from "@konomana/query";
import { Button, Note, Text } from "@konomana/ui-base";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import {
  type CertificateProgress,
  certificateKeys,
  certificateQuery,
  issueCertificate,
} from "./certificateCalls";

interface TakeCertificateProps {
  course: number;
  progress: CertificateProgress;
}

/** The button to take a certificate that is earned. */
export function TakeCertificate({ course, progress }: TakeCertificateProps) {
  const queries = useQueryClient();
  const taking = useMutation({
    mutationFn: () => issueCertificate(course),
    onSuccess: (certificate) =>
      queries.setQueryData(certificateQuery(course).queryKey, { progress, certificate }),
    // A check may have been removed on another device.
    onError: () => void queries.invalidateQueries({ queryKey: certificateKeys.ofCourse(course) }),
  });
  return (
    <>
      <Text>おめでとうございます。この講座の修了証を受け取れます。</Text>
      <Note>
        修了証には、アカウントに登録されている氏名と、今日の日付が入ります。受け取ったあとは変えられません。
      </Note>
      <Button className="kn-start" busy={taking.isPending} onClick={() => taking.mutate()}>
        {taking.isPending ? "用意しています…" : "修了証を受け取る"}
      </Button>
      {taking.isError && (
        <FailureAlert
          key={taking.submittedAt}
          error={taking.error}
          title="修了証を受け取れませんでした"
        />
      )}
    </>
  );
}
