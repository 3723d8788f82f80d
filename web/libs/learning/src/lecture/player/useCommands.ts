import { useEffect, useRef } from "react";
import { type Command, commandOf, isForPlayer, isLetter } from "./shortcuts";
import { fasterBy, prefer, preferences } from "./preferences";

interface CommandParts {
  toggleFullscreen: () => void;
  writeNote: () => void;
  showHelp: () => void;
}

/** Seeks by a number of seconds, within the video. */
export function leap(video: HTMLVideoElement, seconds: number): void {
  seek(video, video.currentTime + seconds);
}

/** Seeks to a second; does nothing until the duration is known. */
export function seek(video: HTMLVideoElement, second: number): void {
  if (Number.isNaN(second)) return;
  const end = Number.isFinite(video.duration) ? video.duration : Infinity;
  video.currentTime = Math.min(Math.max(0, second), end);
}

/** Plays a paused video, and pauses a playing one. */
export function toggle(video: HTMLVideoElement): void {
  // If the browser refuses, the video stays paused and shows it.
  if (video.paused) video.play().catch(() => {});
  else video.pause();
}

/** Handles keyboard shortcuts on the whole page, except in fields. */
export function useCommands(video: HTMLVideoElement | null, parts: CommandParts): void {
  const newest = useRef(parts);
  useEffect(() => {
    newest.current = parts;
  });
  useEffect(() => {
    if (!video) return;
    const press = (event: KeyboardEvent) => {
      const command = commandOf(event);
      if (!command || !isForPlayer(event)) return;
      if (isLetter(event) && !preferences().letterKeys) return;
      event.preventDefault();
      carryOut(command, video, newest.current);
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [video]);
}

function carryOut(command: Command, video: HTMLVideoElement, parts: CommandParts): void {
  switch (command.do) {
    case "toggle":
      return toggle(video);
    case "leap":
      return leap(video, command.seconds);
    case "jump":
      return seek(video, (video.duration * command.tenths) / 10);
    case "volume":
      video.volume = Math.min(1, Math.max(0, video.volume + command.by));
      video.muted = video.volume === 0;
      return;
    case "mute":
      video.muted = !video.muted;
      return;
    case "speed":
      return prefer({ speed: fasterBy(command.steps, preferences().speed) });
    case "captions":
      return prefer({ captions: !preferences().captions });
    case "fullscreen":
      return parts.toggleFullscreen();
    case "note":
      return parts.writeNote();
    case "help":
      return parts.showHelp();
  }
}
