import { CartButton } from "@konomana/cart";
import { sentenceOf } from "@konomana/http";
import { paths } from "@konomana/paths";
import { hasScope, useSession } from "@konomana/session";
import { Button, ButtonLink, formatDateTime, showBlue, showMessage, Text } from "@konomana/ui-base";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { applicationKeys, examKeys } from "./api/examKeys";
import { applicationsQuery, takeSeat } from "./api/examApplications";
import type { ExamCard } from "./api/examCardTypes";
import type { ExamPhase } from "./data/phase";
import { useExamPhase } from "./data/useExamPhase";
import styles from "./examCard.module.css";

/**
 * The next action for an exam: buy a seat, take a free one, continue an application, or read why
 * that is not possible.
 */
export function ExamAction({ exam }: { exam: ExamCard }) {
  const phase = useExamPhase(exam);
  const { user } = useSession();
  const isLearner = user !== null && hasScope(user, "learner");
  const mine = useQuery({ ...applicationsQuery, enabled: isLearner });
  const hasSeat = mine.data?.some(({ exam: { id }, has_seat }) => id === exam.id && has_seat);
  return (
    <div className={styles.action}>
      {phase !== null && (hasSeat ? <ToSheet exam={exam} /> : <Offer exam={exam} phase={phase} />)}
    </div>
  );
}

function ToSheet({ exam }: { exam: ExamCard }) {
  return (
    <ButtonLink pill to={paths.mockExam(exam.id)}>
      申込済み：準備のページへ
    </ButtonLink>
  );
}

function Offer({ exam, phase }: { exam: ExamCard; phase: ExamPhase }) {
  switch (phase) {
    case "soon":
      return <Text bold>お申し込みは、{formatDateTime(exam.application_opens_at)}からです。</Text>;
    case "full":
      return <Text bold>満席のため、お申し込みの受け付けを終わりました。</Text>;
    case "closed":
    case "over":
      return <Text bold>お申し込みの受け付けは終わりました。</Text>;
    case "open":
      return exam.product_id === null ? (
        <FreeSeat exam={exam} />
      ) : (
        <CartButton product={exam.product_id} name={exam.name} />
      );
  }
}

function FreeSeat({ exam }: { exam: ExamCard }) {
  const { user } = useSession();
  if (user === null)
    return (
      <ButtonLink pill to={paths.mockExam(exam.id)}>
        ログインして申し込む（無料）
      </ButtonLink>
    );
  if (hasScope(user, "learner")) return <TakeSeat exam={exam} />;
  return <Text>お申し込みは、受験するお子さまのアカウントからできます。</Text>;
}

function TakeSeat({ exam: { id, name } }: { exam: ExamCard }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const taking = useMutation({
    mutationFn: () => takeSeat(id),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: applicationKeys.all });
      showBlue(`${name}に申し込みました。`);
      await navigate(paths.basicInfo(id));
    },
    onError: (error) => {
      // The last seat may be gone, or the period over: the page shows the current state.
      void queries.invalidateQueries({ queryKey: applicationKeys.all });
      void queries.invalidateQueries({ queryKey: examKeys.list });
      showMessage(`申し込めませんでした。${sentenceOf(error)}`);
    },
  });
  return (
    <Button pill busy={taking.isPending || taking.isSuccess} onClick={() => taking.mutate()}>
      {taking.isPending ? "申し込んでいます…" : "申し込む（無料）"}
    </Button>
  );
}
