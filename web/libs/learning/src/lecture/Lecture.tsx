import { useMark, useShowInList } from "@konomana/query";
import { ApiError } from "@konomana/http";
import { courseMarksQuery } from "@konomana/learner";
import { lessonQuery, type LectureLesson, type WatchProgress } from "../api";
import { paths } from "@konomana/paths";
import {
  Checkbox,
  formatDuration,
  Group,
  Head,
  media,
  Stack,
  Tabs,
  Text,
  TextLink,
  Title,
  type Tab,
} from "@konomana/ui-base";
import { useMediaQuery } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { MediaProvider } from "media-chrome/react/media-store";
import { useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useSearchParams } from "react-router";
import { QuestionsState } from "../lesson/QuestionsState";
import { StarToggle } from "../parts/StarToggle";
import { AskHere } from "./AskHere";
import { Chapters } from "./panels/Chapters";
import { HandoutPages } from "./panels/HandoutPages";
import { LessonList } from "./panels/LessonList";
import { Notes } from "./panels/Notes";
import { Transcript } from "./panels/Transcript";
import { usePreferences } from "./player/preferences";
import { Stage } from "./player/Stage";
import { seek, toggle } from "./player/useCommands";
import { useCues } from "./player/useCues";
import { useSource } from "./player/useSource";
import { useStream } from "./player/useStream";
import { useAboveKeyboard } from "./useAboveKeyboard";
import { resumeAt, secondIn } from "./watching/resume";
import { useHeartbeats, useOwnHeartbeats, withProgress } from "./watching/useHeartbeats";

/** A lesson with its video and its study tools. */
export function Lecture({ lesson }: { lesson: LectureLesson }) {
  return (
    <MediaProvider>
      <Watching lesson={lesson} />
    </MediaProvider>
  );
}

function Watching({ lesson }: { lesson: LectureLesson }) {
  const [video, setVideo] = useState<HTMLVideoElement | null>(null);
  const [track, setTrack] = useState<HTMLTrackElement | null>(null);
  const [open, setOpen] = useState("");
  const noteField = useRef<HTMLTextAreaElement>(null);
  const startAt = useStart(lesson);
  const { quality } = usePreferences();
  const streaming = useStream(lesson);
  const { stream } = streaming;
  const place = useSource(video, { stream, quality, startAt, onFail: streaming.failed });
  const cues = useCues(track);
  // On a narrow page the list of lessons is below the video instead of beside it.
  const narrow = useMediaQuery(media.narrow, undefined, { getInitialValueInEffect: false });
  const aboveKeyboard = useAboveKeyboard();
  useFieldInSight(aboveKeyboard !== null);
  const showAnswer = useShowAnswer(lesson);
  useHeartbeats(video, {
    lesson: lesson.id,
    place,
    stream: stream?.stream ?? null,
    onAnswer: (answer) => {
      if (answer instanceof ApiError && answer.code === "STREAM_ENDED") {
        video?.pause();
        streaming.end();
      }
      showAnswer(answer);
    },
  });

  const goTo = (second: number) => {
    if (!video) return;
    seek(video, second);
    if (video.paused) toggle(video);
  };
  const writeNote = () => {
    flushSync(() => setOpen("notes"));
    noteField.current?.focus();
  };
  const tabs: Tab[] = [
    { name: "transcript", label: "文字起こし", content: <Transcript cues={cues} goTo={goTo} /> },
    {
      name: "notes",
      label: "ノート",
      content: <Notes lesson={lesson.id} place={place} goTo={goTo} field={noteField} />,
    },
  ];
  if (lesson.marks.length > 0)
    tabs.unshift({
      name: "chapters",
      label: "目次",
      content: <Chapters marks={lesson.marks} goTo={goTo} />,
    });
  if (lesson.handouts.length > 0)
    tabs.push({
      name: "handouts",
      label: "資料",
      content: <HandoutPages handouts={lesson.handouts} stream={stream} />,
    });
  if (narrow)
    tabs.push({ name: "lessons", label: "レッスン", content: <LessonList lesson={lesson} /> });
  const parts = [
    <Stack key="about" gap="sm">
      <About lesson={lesson} />
      <AskHere lesson={lesson.id} place={place} />
    </Stack>,
    <Tabs key="tabs" label="レッスンの内容" tabs={tabs} open={open} onOpen={setOpen} />,
  ];

  return (
    <>
      <Head title={lesson.name} />
      <Stage
        lesson={lesson}
        streaming={streaming}
        video={video}
        setVideo={setVideo}
        setTrack={setTrack}
        cues={cues}
        aboveKeyboard={aboveKeyboard}
        writeNote={writeNote}
      />
      <Heading lesson={lesson} />
      {narrow ? parts.toReversed() : parts}
    </>
  );
}

/** The start position: the second in the address, or else shortly before the last position. */
function useStart({ id, duration, watch }: LectureLesson): number {
  const [params] = useSearchParams();
  const heartbeats = useOwnHeartbeats();
  const [startAt] = useState(() => {
    // A position that is still in the outbox is newer than the server's.
    const left = heartbeats.positionOf(id) ?? watch?.position ?? 0;
    return secondIn(params, duration) ?? resumeAt(left, duration);
  });
  return startAt;
}

/** Applies a heartbeat's answer to the screen: progress and check. */
function useShowAnswer({ id, course }: LectureLesson) {
  const queries = useQueryClient();
  const showCheck = useShowInList(courseMarksQuery("check", course.id).queryKey, id);
  return (answer: WatchProgress | ApiError) => {
    const { queryKey } = lessonQuery(id);
    if (answer instanceof ApiError) {
      if (answer.code === "EXPIRED_ITEM") void queries.invalidateQueries({ queryKey });
      return;
    }
    const before = queries.getQueryData<LectureLesson>(queryKey);
    if (!before) return;
    queries.setQueryData(queryKey, withProgress(before, answer));
    if (answer.is_check !== before.is_check) showCheck(answer.is_check);
  };
}

/** Scrolls the form with the focus up to the video when an on-screen keyboard opens. */
function useFieldInSight(keyboardOpen: boolean): void {
  useLayoutEffect(() => {
    if (keyboardOpen) document.activeElement?.closest("form")?.scrollIntoView();
  }, [keyboardOpen]);
}

/** Updates fields of the cached lesson. */
function useChange({ id }: LectureLesson) {
  const queries = useQueryClient();
  return (part: Partial<LectureLesson>) =>
    queries.setQueryData<LectureLesson>(
      lessonQuery(id).queryKey,
      (before) => before && { ...before, ...part },
    );
}

/** The lesson's name with its course and its star. */
function Heading({ lesson }: { lesson: LectureLesson }) {
  const { id, course, is_favorite } = lesson;
  const showStar = useShowInList(courseMarksQuery("favorite", course.id).queryKey, id);
  const change = useChange(lesson);
  return (
    <Stack gap="0.25rem" mt="sm">
      <TextLink to={paths.ownedCourse(lesson.inventory_id)}>← {course.name}</TextLink>
      <Group gap="sm" align="start" justify="space-between" nowrap>
        <Title order={1} size="h3">
          {lesson.name}
        </Title>
        <StarToggle
          lesson={lesson}
          starred={is_favorite}
          show={(on) => {
            showStar(on);
            change({ is_favorite: on });
          }}
        />
      </Group>
    </Stack>
  );
}

/** The lesson's summary, its place in the course, its check, and its questions. */
function About({ lesson }: { lesson: LectureLesson }) {
  const { id, course, is_check } = lesson;
  const showCheck = useShowInList(courseMarksQuery("check", course.id).queryKey, id);
  const change = useChange(lesson);
  const check = useMark("check", id, (on) => {
    showCheck(on);
    change({ is_check: on });
  });
  return (
    <Stack gap="0.25rem">
      <Text size="sm" dimmed>
        {lesson.chapter.name}・{lesson.number} / {lesson.lesson_count}・
        {formatDuration(lesson.duration)}
      </Text>
      <Text>{lesson.summary}</Text>
      <Checkbox
        label="学習済みにする"
        checked={is_check}
        onChange={(event) => check.mutate(event.currentTarget.checked)}
      />
      {lesson.question_count > 0 && <QuestionsState lesson={lesson} />}
    </Stack>
  );
}
