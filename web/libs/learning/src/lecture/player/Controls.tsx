import {
  MediaActionTypes,
  useMediaDispatch,
  useMediaSelector,
} from "media-chrome/react/media-store";
import { type ReactNode, useId } from "react";
import {
  CaptionsIcon,
  FullscreenIcon,
  GearIcon,
  LeapIcon,
  PauseIcon,
  PlayIcon,
  SoundIcon,
} from "./playerIcons";
import styles from "./controls.module.css";
import {
  captionSizes,
  type CaptionSize,
  prefer,
  qualities,
  type Quality,
  speeds,
  usePreferences,
} from "./preferences";
import { leap, toggle } from "./useCommands";

interface ControlsProps {
  video: HTMLVideoElement | null;
  toggleFullscreen: () => void;
  showHelp: () => void;
}

/** The controls used often, in one row; settings are in a popover. */
export function Controls({ video, toggleFullscreen, showHelp }: ControlsProps) {
  const paused = useMediaSelector((state) => state.mediaPaused) ?? true;
  const muted = useMediaSelector((state) => state.mediaMuted) ?? false;
  const full = useMediaSelector((state) => state.mediaIsFullscreen) ?? false;
  const noFull = useMediaSelector((state) => state.mediaFullscreenUnavailable) !== undefined;
  const { captions, speed } = usePreferences();
  const settings = useId();
  const on = (act: (video: HTMLVideoElement) => void) => () => video && act(video);
  return (
    <div className={styles.controls} role="group" aria-label="動画の操作">
      <Control name="10秒もどる" onPress={on((one) => leap(one, -10))}>
        <LeapIcon back />
      </Control>
      <Control name={paused ? "再生" : "一時停止"} onPress={on(toggle)}>
        {paused ? <PlayIcon /> : <PauseIcon />}
      </Control>
      <Control name="10秒進む" onPress={on((one) => leap(one, 10))}>
        <LeapIcon />
      </Control>
      <Control
        className={styles.sound}
        name="音を消す"
        pressed={muted}
        onPress={on((one) => {
          one.muted = !one.muted;
        })}
      >
        <SoundIcon on={!muted} />
      </Control>
      <Control name="字幕" pressed={captions} onPress={() => prefer({ captions: !captions })}>
        <CaptionsIcon on={captions} />
      </Control>
      <select
        className={styles.speed}
        aria-label="再生速度"
        value={speed}
        onChange={(event) => prefer({ speed: Number(event.currentTarget.value) })}
      >
        {speeds.map((one) => (
          <option key={one} value={one}>
            {one}倍
          </option>
        ))}
      </select>
      <Control name="再生の設定" opens={settings}>
        <GearIcon />
      </Control>
      {!noFull && (
        <Control name="全画面" pressed={full} onPress={toggleFullscreen}>
          <FullscreenIcon on={full} />
        </Control>
      )}
      <div id={settings} className={styles.settings} popover="auto">
        <Settings showHelp={showHelp} />
      </div>
    </div>
  );
}

interface ControlProps {
  className?: string | undefined;
  name: string;
  pressed?: boolean;
  /** The id of the popover that the button toggles. */
  opens?: string;
  onPress?: () => void;
  children: ReactNode;
}

function Control({ className = "", name, pressed, opens, onPress, children }: ControlProps) {
  return (
    <button
      type="button"
      className={`${styles.control} ${className}`}
      aria-label={name}
      title={name}
      aria-pressed={pressed}
      popoverTarget={opens}
      onClick={onPress}
    >
      {children}
    </button>
  );
}

const qualityNames: Record<Quality, string> = { auto: "自動", "360p": "360p", "720p": "720p" };

function Settings({ showHelp }: { showHelp: () => void }) {
  const { captionSize, quality, autoplay } = usePreferences();
  const dispatch = useMediaDispatch();
  const inPicture = useMediaSelector((state) => state.mediaIsPip) ?? false;
  const noPicture = useMediaSelector((state) => state.mediaPipUnavailable) !== undefined;
  const picture = inPicture
    ? MediaActionTypes.MEDIA_EXIT_PIP_REQUEST
    : MediaActionTypes.MEDIA_ENTER_PIP_REQUEST;
  return (
    <>
      <label className={styles.setting}>
        字幕の大きさ
        <select
          value={captionSize}
          onChange={(event) => prefer({ captionSize: event.currentTarget.value as CaptionSize })}
        >
          {Object.entries(captionSizes).map(([size, { name }]) => (
            <option key={size} value={size}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label className={styles.setting}>
        画質
        <select
          value={quality}
          onChange={(event) => prefer({ quality: event.currentTarget.value as Quality })}
        >
          {qualities.map((one) => (
            <option key={one} value={one}>
              {qualityNames[one]}
            </option>
          ))}
        </select>
      </label>
      <label className={styles.setting}>
        つぎのレッスンを自動で再生
        <input
          type="checkbox"
          checked={autoplay}
          onChange={(event) => prefer({ autoplay: event.currentTarget.checked })}
        />
      </label>
      {!noPicture && (
        <button
          type="button"
          className={styles.setting}
          aria-pressed={inPicture}
          onClick={() => dispatch({ type: picture })}
        >
          小さな画面で見る
        </button>
      )}
      <button type="button" className={styles.setting} onClick={showHelp}>
        キーボードでの操作
      </button>
    </>
  );
}
