import { type Answer, call, callPublic } from "@konomana/http";
import { inventoryKeys } from "@konomana/learner";
import { queryOptions } from "@tanstack/react-query";

/** What the learner has reached in a course, and the certificate once it is issued. */
export type CertificateState = Answer<"GET", "/api/lms/course/{id}/certificate/">;
export type CertificateProgress = CertificateState["progress"];
export type Certificate = NonNullable<CertificateState["certificate"]>;
/** A certificate, as anyone sees it. */
export type CheckedCertificate = Answer<"GET", "/api/lms/certificate/{id}/">;

export const certificateKeys = {
  /** Checks and answers change what is reached, so they refetch it together with the items. */
  ofCourse: (course: number) => [...inventoryKeys.items, "certificate", course] as const,
  checked: (id: string) => ["certificate", id] as const,
};

export const certificateQuery = (course: number) =>
  queryOptions({
    queryKey: certificateKeys.ofCourse(course),
    queryFn: ({ signal }) =>
      call("GET", "/api/lms/course/{id}/certificate/", { params: { id: course }, signal }),
    staleTime: 0,
  });

/** Issues the certificate of a course with the name of the account. */
export function issueCertificate(course: number) {
  return call("POST", "/api/lms/course/{id}/certificate/", { params: { id: course } });
}

/** Sets whether the public check shows the learner's name. */
export function setCertificateVisibility(id: string, isNameShown: boolean) {
  return call("PUT", "/api/lms/certificate/{id}/visibility/", {
    params: { id },
    body: { is_name_shown: isNameShown },
  });
}

/** The certificate as a PDF, with the name. */
export function certificatePdf(id: string) {
  return call("GET", "/api/lms/certificate/{id}/pdf/", { params: { id } });
}

/** The public check. The learner may hide the name at any time, so an answer is never reused. */
export const checkedCertificateQuery = (id: string) =>
  queryOptions({
    queryKey: certificateKeys.checked(id),
    queryFn: ({ signal }) =>
      callPublic("GET", "/api/lms/certificate/{id}/", { params: { id }, signal }),
    staleTime: 0,
    gcTime: 0,
  });
