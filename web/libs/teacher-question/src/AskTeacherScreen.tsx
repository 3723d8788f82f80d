import { useSchemaForm, limits, wordsOf } from "@konomana/form";
import { idempotencyKey, type StoredKey } from "@konomana/http";
import { paths, type QuestionPlace } from "@konomana/paths";
import { SaveForm } from "@konomana/query";
import { createDraft } from "@konomana/session";
import { formatClock, Head, Panel, Stack, Text, TextLink, Title } from "@konomana/ui-base";
import { CheckboxField } from "@konomana/ui-kit";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import * as v from "valibot";
import { AllowanceNote } from "./AllowanceNote";
import { PhotosField } from "./PhotosField";
import { type Photo, photoRefusals, sendWithPhotos } from "./photos";
import { QuestionTextField } from "./QuestionTextField";
import { questionLessonQuery, askTeacher, teacherQuestionKey } from "./teacherQuestionCalls";

/** Form id, for error messages that are specific to this form. */
const FORM = "teacherQuestion";

interface QuestionDraft {
  text: string;
  /** What the text is about, so that it is not sent about another lesson. */
  place: string;
}

const schema = v.object({
  text: wordsOf(limits.questionText.min, limits.questionText.max),
  is_shared: v.boolean(),
});

/** The draft in this tab, kept until the question is sent. */
const draft = createDraft<QuestionDraft>("teacher-question", ["text", "place"]);
/** The idempotency key of the question, until it is sent. */
const keyStore = createDraft<StoredKey>("teacher-question.key", ["key", "content"]);

/** /mypage/question/new: asks about a second or a question of a lesson, or freely. */
export function AskTeacherScreen() {
  const [params] = useSearchParams();
  const lesson = parseWhole(params.get("lesson"));
  const at = parseWhole(params.get("at"));
  const exercise = parseWhole(params.get("exercise"));
  const place: QuestionPlace = lesson === undefined ? {} : { lesson, at, exercise };
  return (
    <Stack gap="lg">
      <Head title="先生に質問する" />
      <TextLink to={paths.teacherQuestions()}>← 先生に質問</TextLink>
      <Title order={1} size="h2">
        先生に質問する
      </Title>
      <AllowanceNote />
      {lesson !== undefined && <QuestionLesson {...place} lesson={lesson} />}
      <Panel variant="raised" pad="lg">
        <AskForm {...place} />
      </Panel>
    </Stack>
  );
}

function QuestionLesson({ lesson, at, exercise }: QuestionPlace & { lesson: number }) {
  const { data } = useQuery(questionLessonQuery(lesson));
  return (
    <Text>
      質問する場所：
      <TextLink inline to={paths.lecture(lesson, { at })}>
        {data?.name ?? "このレッスン"}
        {at !== undefined && `（${formatClock(at)}）`}
      </TextLink>
      {exercise !== undefined && "の問題"}
    </Text>
  );
}

function AskForm({ lesson, at, exercise }: QuestionPlace) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const place = [lesson, exercise].join(".");
  const keep = useCallback(({ text }: { text: string }) => draft.write({ text, place }), [place]);
  const form = useSchemaForm(schema, {
    initialValues: { text: "", is_shared: false },
    onValuesChange: keep,
    sentences: FORM,
  });
  const [photos, setPhotos] = useState<readonly Photo[]>([]);
  const { setValues } = form;
  useEffect(() => {
    const kept = draft.read();
    if (kept.place === place && kept.text) setValues({ text: kept.text });
  }, [place, setValues]);

  const save = (typed: v.InferOutput<typeof schema>) =>
    sendWithPhotos(photos, (pictures) => {
      const question = {
        ...typed,
        lesson: lesson ?? null,
        at: at ?? null,
        exercise: exercise ?? null,
        pictures,
      };
      return askTeacher(question, idempotencyKey(keyStore, question));
    });
  return (
    <SaveForm
      label="先生への質問"
      form={form}
      save={save}
      onSaved={({ id }) => {
        draft.clear();
        keyStore.clear();
        void queries.invalidateQueries({ queryKey: teacherQuestionKey });
        void navigate(paths.teacherQuestion(id), { replace: true });
      }}
      failed="質問を送れませんでした"
      submit="質問を送る"
      busy="送っています…"
      refusals={photoRefusals}
      sentences={FORM}
    >
      <QuestionTextField {...form.getInputProps("text")} label="質問" />
      <PhotosField photos={photos} onChange={setPhotos} form={form} />
      {lesson !== undefined && (
        <CheckboxField
          {...form.getInputProps("is_shared", { type: "checkbox" })}
          name="is_shared"
          label="回答のあと、この講座を持っているほかの人にも、質問と付けた写真を、名前を出さずに見せてよい（あとで取り消せます）"
        />
      )}
    </SaveForm>
  );
}

/** A whole number of the address, or `undefined`. */
function parseWhole(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
