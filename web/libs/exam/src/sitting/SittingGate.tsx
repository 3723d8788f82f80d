import { useStore } from "@konomana/browser";
import { ApiError, sentenceOf } from "@konomana/http";
import { paths } from "@konomana/paths";
import { sessionEnd, sessionStore, useSession } from "@konomana/session";
import {
  Alert,
  Button,
  ButtonLink,
  ErrorState,
  Group,
  Stack,
  Text,
  Title,
} from "@konomana/ui-base";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useMemo } from "react";
import { Navigate } from "react-router";
import { type PaperState, type Sheet, sheetQuery } from "../api";
import { deviceId } from "../device/deviceId";
import { forgetRunningExam, keepRunningExam } from "./outage/deviceCopy";
import { isBusy } from "./protocol/mayPass";
import { type OpenSitting, sittingOf } from "./protocol/OpenSitting";
import type { SittingSession } from "./protocol/SittingSession";
import { forgetQuestion } from "./questions/lastQuestion";
import { TakenOver } from "./TakenOver";

interface SittingGateProps {
  exam: number;
  paper: number;
  children: (session: SittingSession) => ReactNode;
}

/** Opens a paper, and renders it once it is open on this device and in this tab. */
export function SittingGate({ exam, paper, children }: SittingGateProps) {
  const learner = useSession().user?.id ?? "";
  const sitting = useMemo(
    () => sittingOf({ learner, paper, device: deviceId() }),
    [learner, paper],
  );
  useEffect(() => sitting.open(), [sitting]);
  return (
    <Opened exam={exam} paper={paper} sitting={sitting}>
      {children}
    </Opened>
  );
}

function Opening() {
  return <Text role="status">試験を開いています…</Text>;
}

function Opened({ exam, paper, sitting, children }: SittingGateProps & { sitting: OpenSitting }) {
  const opening = useStore(sitting.state);
  useNotePaperState(exam, paper, paperStateOf(opening.kind));
  switch (opening.kind) {
    case "opening":
      return <Opening />;
    case "other-tab":
      return (
        <Notice title="ほかのタブで受験中です">
          <Text>
            この試験は、このブラウザのほかのタブで開いています。答えられるのは1つのタブだけです。
          </Text>
          <Group actions>
            <Button onClick={() => sitting.openHere()}>このタブで続ける</Button>
          </Group>
        </Notice>
      );
    case "other-device":
      return (
        <Notice title="ほかの端末で受験中です">
          {opening.error !== null && (
            <Alert color="red" title="引きつげませんでした">
              {sentenceOf(opening.error)}
            </Alert>
          )}
          <Text>
            この端末で続けると、ほかの端末では答えられなくなります。サーバーに保存されている答えと残り時間は、そのまま引きつぎます。
          </Text>
          <Text size="sm" dimmed>
            ブラウザのデータを消したときも、ここから続けられます。
          </Text>
          <Group actions>
            <Button onClick={() => void sitting.takeOver()}>この端末で続ける</Button>
            <ButtonLink to={paths.mockExam(exam)} variant="default">
              模試のページにもどる
            </ButtonLink>
          </Group>
        </Notice>
      );
    case "handed-in":
      return <Navigate to={paths.examHandedIn(exam, paper)} replace />;
    case "failed":
      return <Failed exam={exam} error={opening.error} onRetry={() => void sitting.retry()} />;
    case "open":
      return (
        <OpenPaper exam={exam} paper={paper} session={opening.session}>
          {children}
        </OpenPaper>
      );
  }
}

function OpenPaper({
  exam,
  paper,
  session,
  children,
}: SittingGateProps & { session: SittingSession }) {
  const { phase, isTakenOver, sitting } = useStore(session.state);
  useNotePaperState(exam, paper, phase === "sealed" ? "handed_in" : "running");
  useEffect(() => {
    if (phase === "sealed") forgetQuestion(sitting.id);
  }, [phase, sitting.id]);
  if (phase === "sealed") return <Navigate to={paths.examHandedIn(exam, paper)} replace />;
  return (
    <>
      {children(session)}
      {isTakenOver && <TakenOver exam={exam} session={session} />}
    </>
  );
}

function Failed({ exam, error, onRetry }: { exam: number; error: ApiError; onRetry: () => void }) {
  useEffect(() => {
    if (error.status !== 0) return;
    addEventListener("online", onRetry);
    return () => removeEventListener("online", onRetry);
  });
  const reached = error.status !== 0;
  return (
    <ErrorState
      level={1}
      title="試験を開けませんでした"
      sentence={sentenceOf(error)}
      traceId={reached ? error.traceId : undefined}
      onRetry={onRetry}
    >
      {isBusy(error) && (
        <Text>混み合っています。自動でもう一度開きます。そのままお待ちください。</Text>
      )}
      <ButtonLink pill to={paths.mockExam(exam)} variant="default">
        模試のページにもどる
      </ButtonLink>
    </ErrorState>
  );
}

function Notice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack role="alert">
      <Title order={1} size="h3">
        {title}
      </Title>
      {children}
    </Stack>
  );
}

function paperStateOf(kind: string): PaperState["state"] | null {
  return kind === "handed-in" ? "handed_in" : null;
}

/**
 * Updates the state of the paper in the cached sheet, until the sheet is fetched again. Stores what a
 * running paper needs without the server, and removes it after the hand-in.
 */
function useNotePaperState(exam: number, paper: number, state: PaperState["state"] | null): void {
  const queries = useQueryClient();
  // A login in another tab has removed the stored data.
  const hasSession = useStore(sessionEnd) === null;
  useEffect(() => {
    if (state === null) return;
    const { queryKey } = sheetQuery(exam);
    queries.setQueryData<Sheet>(queryKey, (sheet) =>
      sheet === undefined
        ? sheet
        : {
            ...sheet,
            papers: sheet.papers.map((one) => (one.paper_id === paper ? { ...one, state } : one)),
          },
    );
    if (state === "handed_in") {
      forgetRunningExam();
      void queries.invalidateQueries({ queryKey });
    }
    const sheet = queries.getQueryData(queryKey);
    const { user } = sessionStore.get();
    if (state === "running" && hasSession && sheet !== undefined && user !== null)
      keepRunningExam(sheet, user);
  }, [queries, exam, paper, state, hasSession]);
}
