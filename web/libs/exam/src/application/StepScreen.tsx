import { paths } from "@konomana/paths";
import { QueryBoundary } from "@konomana/query";
import { Head, LoadingState, Note, Stack, TextLink, Title } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Navigate, useParams } from "react-router";
import { type Sheet, sheetQuery } from "../api";
import { isOpen, pathOfStage, type Step, steps } from "./steps";

interface StepScreenProps {
  step: Step;
  title: string;
  children: (sheet: Sheet) => ReactNode;
}

/** A step of an application. A step that is not open yet redirects to the first open one. */
export function StepScreen({ step, title, children }: StepScreenProps) {
  const exam = Number(useParams()["id"]);
  const query = useQuery(sheetQuery(exam));
  return (
    <Stack gap="lg">
      <Head title={title} />
      <QueryBoundary query={query} loading={<LoadingState rows={2} height="12rem" />}>
        {(sheet) =>
          isOpen(step, sheet.stage) ? (
            <>
              <Stack as="header" gap="xxs">
                <TextLink to={paths.mockExam(exam)}>← {sheet.exam.name}のページにもどる</TextLink>
                <Note>
                  ステップ {steps.indexOf(step) + 1} / {steps.length}
                </Note>
                <Title order={1} size="h2">
                  {title}
                </Title>
              </Stack>
              {children(sheet)}
            </>
          ) : (
            <Navigate to={pathOfStage(sheet.stage, exam)} replace />
          )
        }
      </QueryBoundary>
    </Stack>
  );
}
