import type { LectureLesson } from "../../api";
import { sentenceOf } from "@konomana/http";
import { paths } from "@konomana/paths";
import { Button, formatDuration, Text, Title, ButtonLink, Group } from "@konomana/ui-base";
import { useMediaSelector } from "media-chrome/react/media-store";
import { useEffect, useState } from "react";
import { useNavigate } from "react-router";
import styles from "./player.module.css";
import { usePreferences } from "./preferences";
import type { Hindrance, Streaming } from "./useStream";

/** Seconds during which the automatic start of the next lesson can be stopped. */
const WAIT_S = 5;

/** A message over the video while it can't play. */
export function Hindered({ lesson, streaming }: { lesson: LectureLesson; streaming: Streaming }) {
  const { hindrance, start, starting } = streaming;
  if (!lesson.has_video)
    return <Offer title="動画は準備中です">もうしばらくお待ちください。</Offer>;
  if (lesson.is_expired || hindrance?.kind === "expired")
    return (
      <Offer title="この講座は期限切れです">
        <Text>もう一度購入すると、つづきから見られます。ノートと学習の記録は残っています。</Text>
        <ButtonLink to={paths.course(lesson.course.id)}>講座の案内と購入</ButtonLink>
      </Offer>
    );
  if (!hindrance) return null;
  const { title, text, again, takeOver } = wordsOf(hindrance);
  return (
    <Offer title={title}>
      <Text>{text}</Text>
      <Button onClick={() => start(takeOver)} aria-disabled={starting}>
        {starting ? "お待ちください…" : again}
      </Button>
    </Offer>
  );
}

function wordsOf(hindrance: Hindrance) {
  switch (hindrance.kind) {
    case "tooMany":
      return {
        title: "ほかの2か所で再生中です",
        text: "同時に見られるのは2か所までです。ここで見ると、ほかの1か所の再生が止まります。",
        again: "こちらで見る",
        takeOver: true,
      };
    case "elsewhere":
      return {
        title: "ほかの場所で再生が始まりました",
        text: "ここでの再生は止まりました。ここまでの学習は記録されています。",
        again: "こちらで見る",
        takeOver: true,
      };
    case "failed":
      return {
        title: "再生を始められませんでした",
        text: sentenceOf(hindrance.error),
        again: "もう一度試す",
        takeOver: false,
      };
    default:
      return {
        title: "動画を読み込めませんでした",
        text: "接続を確かめてから、もう一度お試しください。",
        again: "もう一度試す",
        takeOver: false,
      };
  }
}

function Offer({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div className={styles.offer} role="alert">
      <Title order={2} size="h4">
        {title}
      </Title>
      {children}
    </div>
  );
}

/**
 * The next lesson, at the end of a lesson. It starts automatically only if that preference is set.
 */
export function NextLesson({ lesson }: { lesson: LectureLesson }) {
  const ended = useMediaSelector((state) => state.mediaEnded) ?? false;
  const { autoplay } = usePreferences();
  if (!ended) return null;
  const { next } = lesson;
  return (
    <div className={styles.offer} role="group" aria-label="レッスンのおわり">
      <Title order={2} size="h4">
        {next ? "おつかれさまでした" : "この講座はこれで最後です。おつかれさまでした"}
      </Title>
      {next && (
        <>
          <Text>
            つぎは「{next.name}」（{formatDuration(next.duration)}）
          </Text>
          {autoplay ? (
            <CountDown to={paths.lecture(next.id)} />
          ) : (
            <ButtonLink to={paths.lecture(next.id)}>つぎのレッスンへ</ButtonLink>
          )}
        </>
      )}
      {!next && <ButtonLink to={paths.ownedCourse(lesson.inventory_id)}>講座のページへ</ButtonLink>}
    </div>
  );
}

function CountDown({ to }: { to: string }) {
  const navigate = useNavigate();
  const [left, setLeft] = useState<number | null>(WAIT_S);
  useEffect(() => {
    if (left === null) return;
    if (left === 0) return void navigate(to);
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [left, navigate, to]);
  return (
    <Group gap="sm" justify="center">
      <ButtonLink to={to}>
        {left === null ? "つぎのレッスンへ" : `つぎのレッスンへ（${left}秒）`}
      </ButtonLink>
      {left !== null && (
        <Button variant="default" onClick={() => setLeft(null)}>
          とめる
        </Button>
      )}
    </Group>
  );
}
