import { ApiError } from "@konomana/http";
import type { Question } from "../api";
import { SaveForm } from "@konomana/query";
import { paths } from "@konomana/paths";
import { createDraft } from "@konomana/session";
import { ButtonLink, Note } from "@konomana/ui-base";
import {
  type Answer,
  AnswerFields,
  answerForms,
  nothing,
  readDraft,
  validatorOf,
} from "@konomana/question";
import { useForm } from "@mantine/form";
import { useMemo, useRef, useState } from "react";
import { Hint } from "./Hint";
import { KeyHint } from "./KeyHint";
import { type Mode, turnOf } from "./mode";
import { type ShownOutcome, useAnswering } from "./useAnswering";
import { useKeys } from "./useKeys";

/** What an answer counts for, shown before it is sent. */
const counts: Record<Mode["kind"], string> = {
  graded: "採点は1回だけです。練習は何度でもできます。",
  practice: "これは練習です。何度でもできます。",
  review: "これは復習です。正解すると、次に出るまでの日数がのびます。",
};

interface AnswerFormProps {
  question: Question;
  mode: Mode;
  onOutcome: (told: ShownOutcome) => void;
}

/**
 * The form for an answer. The draft is stored until the answer is accepted, so that it survives a
 * reload.
 */
export function AnswerForm({ question, mode, onOutcome }: AnswerFormProps) {
  const { kind, choices } = question;
  const turn = turnOf(question.id, mode);
  const draft = useMemo(
    () => createDraft<Answer>(`answer.${turn}`, Object.keys(nothing) as (keyof Answer)[]),
    [turn],
  );
  const [failed, setFailed] = useState<unknown>(null);
  const place = useRef<HTMLDivElement>(null);
  const form = useForm<Answer>({
    initialValues: readDraft(draft.read(), choices),
    onValuesChange: draft.write,
    validate: validatorOf(kind),
    clearInputErrorOnChange: true,
  });
  const { send, keep } = useAnswering(question, mode);

  useKeys({
    onChoose: (index) => {
      const choice = place.current?.querySelectorAll<HTMLInputElement>("[data-choice]")[index];
      choice?.focus();
      choice?.click();
    },
    onSend: () => place.current?.closest("form")?.requestSubmit(),
  });

  return (
    <SaveForm
      label={`問題${question.number}の答え`}
      form={form}
      save={async (answer) => {
        try {
          return await send(answer);
        } catch (error) {
          setFailed(error);
          throw error;
        }
      }}
      onSaved={(told) => {
        draft.clear();
        keep(told);
        onOutcome(told);
      }}
      failed="答えを送れませんでした"
      submit={failed === null ? "答える" : "もう一度送る"}
      busy="送っています…"
      sentences={answerForms[kind]}
    >
      <Rest error={failed} course={question.course} />
      <div ref={place}>
        <AnswerFields
          kind={kind}
          choices={choices}
          value={form.values}
          onChange={form.setValues}
          errors={form.errors}
          labelledBy="prompt"
        />
      </div>
      {question.hint !== null && <Hint>{question.hint}</Hint>}
      <div>
        <Note>{counts[mode.kind]}</Note>
        {choices.length > 0 && (
          <KeyHint>{`キーボードでは、1〜${Math.min(9, choices.length)}で選んで、Enterで答えます。`}</KeyHint>
        )}
      </div>
    </SaveForm>
  );
}

/** Help after a failed request, besides sending again. */
function Rest({ error, course }: { error: unknown; course: Question["course"] }) {
  if (error === null) return null;
  if (error instanceof ApiError && error.code === "EXPIRED_ITEM")
    return (
      <ButtonLink pill to={paths.course(course.id)} variant="default">
        {course.name}をもう一度購入する
      </ButtonLink>
    );
  return <Note>答えはこの画面に残っています。もう一度送ってください。</Note>;
}
