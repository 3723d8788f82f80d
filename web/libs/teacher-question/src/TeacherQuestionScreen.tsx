import { limits, useSchemaForm, wordsOf } from "@konomana/form";
import { idempotencyKey, type StoredKey } from "@konomana/http";
import { paths } from "@konomana/paths";
import { FailureAlert, QueryBoundary, SaveForm } from "@konomana/query";
import { createDraft } from "@konomana/session";
import {
  Button,
  Checkbox,
  formatClock,
  Group,
  Head,
  LoadingState,
  Panel,
  showBlue,
  Stack,
  Text,
  TextLink,
  Title,
} from "@konomana/ui-base";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { useParams } from "react-router";
import * as v from "valibot";
import { PhotosField } from "./PhotosField";
import { type Photo, photoRefusals, sendWithPhotos } from "./photos";
import { QuestionMessages } from "./QuestionMessages";
import { QuestionTextField } from "./QuestionTextField";
import {
  askAgain,
  questionPicture,
  shareQuestion,
  type TeacherQuestion,
  teacherQuestionKey,
  teacherQuestionQuery,
  thankTeacher,
} from "./teacherQuestionCalls";
import { QuestionState } from "./TeacherQuestionsScreen";

/** /mypage/question/{id}: a question with its answers. Opening it marks the answer as read. */
export function TeacherQuestionScreen() {
  const { thread = "" } = useParams();
  const query = useQuery(teacherQuestionQuery(thread));
  return (
    <Stack gap="lg">
      <Head title="質問と回答" />
      <TextLink to={paths.teacherQuestions()}>← 先生に質問</TextLink>
      <Title order={1} size="h2">
        質問と回答
      </Title>
      <QueryBoundary query={query} loading={<LoadingState rows={2} height="8rem" />}>
        {({ question, messages }) => (
          <>
            <Group gap="sm" role="status">
              <QuestionState question={question} />
            </Group>
            <AboutPlace question={question} />
            <QuestionMessages messages={messages} asker="わたし" loadPicture={questionPicture} />
            {question.answered_at !== null && <Thanks question={question} />}
            {question.place !== null && <Sharing question={question} />}
            {question.can_ask_again && (
              <Panel variant="raised" pad="lg">
                <FollowUpForm key={messages.length} id={question.id} />
              </Panel>
            )}
          </>
        )}
      </QueryBoundary>
    </Stack>
  );
}

function AboutPlace({ question: { place } }: { question: TeacherQuestion }) {
  if (place === null) return null;
  const { course_name, lesson, lesson_name, at, exercise, exercise_text } = place;
  return (
    <div>
      <Text size="sm" dimmed>
        {course_name}
      </Text>
      <TextLink strong to={paths.lecture(lesson, { at: at ?? undefined })}>
        {lesson_name}
        {at !== null && `（${formatClock(at)}から）`}
      </TextLink>
      {exercise !== null && (
        <Text>
          問題：
          <TextLink inline to={paths.question(lesson, exercise)}>
            {exercise_text}
          </TextLink>
        </Text>
      )}
    </div>
  );
}

/** Reloads everything that shows questions. */
function useReload() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: teacherQuestionKey });
}

function Thanks({ question: { id, is_thanked } }: { question: TeacherQuestion }) {
  const reload = useReload();
  const thanking = useMutation({ mutationFn: () => thankTeacher(id), onSuccess: reload });
  const message = useRef<HTMLDivElement>(null);
  const hasThanked = is_thanked && thanking.isSuccess;
  useEffect(() => {
    // The pressed button is gone.
    if (hasThanked) message.current?.focus();
  }, [hasThanked]);
  return (
    <div ref={message} role="status" tabIndex={-1}>
      {thanking.isError && <FailureAlert error={thanking.error} title="お礼を送れませんでした" />}
      {is_thanked ? (
        <Text>先生にお礼を伝えました。</Text>
      ) : (
        <Button
          variant="default"
          aria-disabled={thanking.isPending}
          onClick={() => !thanking.isPending && thanking.mutate()}
        >
          わかりました。ありがとうございます
        </Button>
      )}
    </div>
  );
}

function Sharing({ question: { id, is_shared, answered_at } }: { question: TeacherQuestion }) {
  const reload = useReload();
  const [shown, setShown] = useState(is_shared);
  const sharing = useMutation({
    mutationFn: (on: boolean) => shareQuestion(id, on),
    onSuccess: reload,
    onError: () => setShown(is_shared),
  });
  return (
    <div>
      {sharing.isError && <FailureAlert error={sharing.error} title="変更できませんでした" />}
      <Checkbox
        label={`${answered_at === null ? "回答のあと、" : ""}この講座を持っているほかの人にも、質問と付けた写真を、名前を出さずに見せてよい`}
        checked={shown}
        aria-disabled={sharing.isPending}
        onChange={(event) => {
          if (sharing.isPending) return;
          setShown(event.currentTarget.checked);
          sharing.mutate(event.currentTarget.checked);
        }}
      />
    </div>
  );
}

const schema = v.object({ text: wordsOf(limits.questionText.min, limits.questionText.max) });

interface FollowUp {
  id: string;
  text: string;
}

/** The draft in this tab, of one question at a time. */
const draft = createDraft<FollowUp>("teacher-question-again", ["id", "text"]);
const keyStore = createDraft<StoredKey>("teacher-question-again.key", ["key", "content"]);

function FollowUpForm({ id }: { id: string }) {
  const reload = useReload();
  const keep = useCallback(({ text }: { text: string }) => draft.write({ id, text }), [id]);
  const form = useSchemaForm(schema, {
    initialValues: { text: "" },
    onValuesChange: keep,
    sentences: "teacherQuestion",
  });
  const [photos, setPhotos] = useState<readonly Photo[]>([]);
  const { setValues } = form;
  useEffect(() => {
    const kept = draft.read();
    if (kept.id === id && kept.text) setValues({ text: kept.text });
  }, [id, setValues]);
  return (
    <SaveForm
      label="続けて質問"
      form={form}
      save={({ text }) =>
        sendWithPhotos(photos, (pictures) => {
          const followUp = { text, pictures };
          return askAgain(id, followUp, idempotencyKey(keyStore, { id, ...followUp }));
        })
      }
      onSaved={() => {
        draft.clear();
        keyStore.clear();
        showBlue("続けて質問しました。");
        return reload();
      }}
      failed="質問を送れませんでした"
      submit="続けて質問する"
      busy="送っています…"
      refusals={photoRefusals}
      sentences="teacherQuestion"
    >
      <QuestionTextField
        {...form.getInputProps("text")}
        label="まだわからないところ（月の回数には数えません）"
      />
      <PhotosField photos={photos} onChange={setPhotos} form={form} />
    </SaveForm>
  );
}
