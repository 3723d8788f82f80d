import type { LectureLesson } from "../../api";
import { media } from "@konomana/ui-base";
import { useMediaQuery } from "@mantine/hooks";
import { MediaActionTypes, useMediaSelector, useMediaStore } from "media-chrome/react/media-store";
import { useCallback, useEffect, useRef, useState } from "react";
import { Announcer } from "./Announcer";
import { Captions } from "./Captions";
import { Controls } from "./Controls";
import { PlayIcon } from "./playerIcons";
import { KeyHelp } from "./KeyHelp";
import { Hindered, NextLesson } from "./Offers";
import styles from "./player.module.css";
import { usePreferences } from "./preferences";
import { VideoTimeline } from "./VideoTimeline";
import { useCommands } from "./useCommands";
import type { Cue } from "./useCues";
import { useIdle } from "./useIdle";
import { usePresses } from "./usePresses";
import type { Streaming } from "./useStream";

interface StageProps {
  lesson: LectureLesson;
  streaming: Streaming;
  video: HTMLVideoElement | null;
  setVideo: (video: HTMLVideoElement | null) => void;
  setTrack: (track: HTMLTrackElement | null) => void;
  cues: readonly Cue[];
  /** The top of the area above an on-screen keyboard, in CSS pixels; null without a keyboard. */
  aboveKeyboard: number | null;
  writeNote: () => void;
}

/** The video with its controls, or a message if it can't play. */
export function Stage(props: StageProps) {
  const { lesson, streaming, video, setVideo, setTrack, cues, aboveKeyboard, writeNote } = props;
  const { stream, hindrance } = streaming;
  const { dispatch } = useStore();
  const help = useRef<HTMLDialogElement>(null);
  const full = useMediaSelector((state) => state.mediaIsFullscreen) ?? false;
  const paused = useMediaSelector((state) => state.mediaPaused) ?? true;
  const loading = useMediaSelector((state) => state.mediaLoading) ?? false;
  const ended = useMediaSelector((state) => state.mediaEnded) ?? false;
  const blocked = hindrance !== null || lesson.is_expired || !lesson.has_video;

  const mediaRef = useCallback(
    (element: HTMLVideoElement | null) => {
      dispatch({ type: MediaActionTypes.MEDIA_ELEMENT_CHANGE_REQUEST, detail: element });
      setVideo(element);
    },
    [dispatch, setVideo],
  );
  const stageRef = useCallback(
    (element: HTMLElement | null) =>
      dispatch({ type: MediaActionTypes.FULLSCREEN_ELEMENT_CHANGE_REQUEST, detail: element }),
    [dispatch],
  );
  const toggleFullscreen = () =>
    dispatch({
      type: full
        ? MediaActionTypes.MEDIA_EXIT_FULLSCREEN_REQUEST
        : MediaActionTypes.MEDIA_ENTER_FULLSCREEN_REQUEST,
    });
  const showHelp = () => help.current?.showModal();
  useCommands(blocked ? null : video, { toggleFullscreen, writeNote, showHelp });
  useSpeed(video);
  const trackRef = useCaptions(setTrack);
  // On a phone in landscape the controls lie over the video.
  const flat = useMediaQuery(media.flat, undefined, { getInitialValueInEffect: false });
  const overlay = full || flat;
  const idleness = useIdle(!paused && !ended);
  const { idle, wake } = idleness;
  const { presses, ripple, endRipple } = usePresses(blocked ? null : video, idleness);
  const small = aboveKeyboard !== null;

  return (
    <section
      ref={stageRef}
      className={styles.stage}
      aria-label="動画"
      data-overlay={overlay || undefined}
      data-idle={(overlay && idle) || undefined}
      data-small={small || undefined}
      style={{ top: aboveKeyboard ?? undefined }}
      onPointerMove={({ pointerType }) => pointerType === "mouse" && wake()}
    >
      <div className={styles.screen}>
        {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/media-has-caption -- the keys are
            those of the page, and the captions come with the stream */}
        <video
          ref={mediaRef}
          className={styles.video}
          playsInline
          preload="auto"
          poster={stream?.poster}
          aria-label={lesson.name}
          {...presses}
        >
          {stream && (
            <track
              key={stream.captions}
              ref={trackRef}
              kind="captions"
              srcLang="ja"
              label="日本語"
              src={stream.captions}
            />
          )}
        </video>
        {!blocked && paused && !ended && stream && (
          <span className={styles.big} aria-hidden="true">
            <PlayIcon />
          </span>
        )}
        {!blocked && ((loading && !paused) || !stream) && (
          <span className={styles.waiting} aria-hidden="true" />
        )}
        {ripple && (
          <span
            key={ripple.at}
            className={styles.ripple}
            data-side={ripple.side}
            aria-hidden="true"
            onAnimationEnd={endRipple}
          >
            {ripple.side === "on" ? "10秒進む" : "10秒もどる"}
          </span>
        )}
        {blocked ? (
          <Hindered lesson={lesson} streaming={streaming} />
        ) : (
          <NextLesson lesson={lesson} />
        )}
      </div>
      {!lesson.is_expired && lesson.has_video && (
        <>
          {!small && <Captions cues={cues} />}
          <div className={styles.bar} onPointerDown={wake} onPointerMove={wake}>
            {!small && (
              <VideoTimeline video={video} duration={lesson.duration} marks={lesson.marks} />
            )}
            <Controls video={video} toggleFullscreen={toggleFullscreen} showHelp={showHelp} />
          </div>
        </>
      )}
      <Announcer />
      <KeyHelp dialog={help} />
    </section>
  );
}

function useStore() {
  const store = useMediaStore();
  if (!store) throw new Error("Stage must be rendered inside a MediaProvider.");
  return store;
}

function useSpeed(video: HTMLVideoElement | null): void {
  const { speed } = usePreferences();
  useEffect(() => {
    if (video) playAt(video, speed);
  }, [video, speed]);
}

function playAt(video: HTMLVideoElement, speed: number): void {
  // A new source starts at the default rate.
  video.defaultPlaybackRate = speed;
  video.playbackRate = speed;
}

/** Loads the caption track. The browser shows it only in its own player, such as full screen on an iPhone. */
function useCaptions(setTrack: (track: HTMLTrackElement | null) => void) {
  const { captions } = usePreferences();
  const full = useMediaSelector((state) => state.mediaIsFullscreen) ?? false;
  const [element, setElement] = useState<HTMLTrackElement | null>(null);
  useEffect(() => {
    if (element) setShowing(element, captions && full && document.fullscreenElement === null);
  }, [element, captions, full]);
  return useCallback(
    (track: HTMLTrackElement | null) => {
      setElement(track);
      setTrack(track);
    },
    [setTrack],
  );
}

/** A hidden track is loaded, a disabled one is not. */
function setShowing({ track }: HTMLTrackElement, on: boolean): void {
  track.mode = on ? "showing" : "hidden";
}
