import { maintenanceQuery } from "./maintenanceApi";
import type { MaintenanceInfo } from "@konomana/http";
import { paths } from "@konomana/paths";
import {
  Button,
  formatDateTime,
  Head,
  LoadingState,
  ButtonLink,
  Panel,
  Note,
} from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useNavigate } from "react-router";
import { Brand } from "../shell/Brand";
import { useNow } from "../shell/useNow";
import { maintenanceStore, useMaintenance } from "./maintenance-store";
import styles from "./MaintenanceScreen.module.css";
import { countdown, pollInterval, standing } from "./standing";

/** The reason and the end of the maintenance. Returns to the previous page by itself. */
export function MaintenanceScreen() {
  const { maintenanceInfo } = useMaintenance();
  const { data } = useQuery({
    ...maintenanceQuery,
    refetchInterval: ({ state }) => pollInterval(state.data?.windows ?? []),
    refetchOnMount: "always",
    staleTime: 0,
  });
  const now = standing(maintenanceInfo, data?.windows ?? null);
  const over = now.kind === "open" && maintenanceInfo !== null;
  const navigate = useNavigate();
  useEffect(() => {
    if (over) void navigate(maintenanceStore.leave(), { replace: true });
  }, [over, navigate]);

  return (
    <div className={`kn-alone kn-center ${styles.screen}`}>
      <Head title="メンテナンスのお知らせ" />
      <Brand />
      {(now.kind === "closed" || now.kind === "read-only") && (
        <Notice info={now.info} readOnly={now.kind === "read-only"} />
      )}
      {now.kind === "asking" && (
        <>
          <h1>メンテナンスの状況を確かめています</h1>
          <LoadingState rows={1} height="10rem" />
        </>
      )}
      {now.kind === "open" && (
        <>
          <h1>メンテナンスは行っていません</h1>
          <p>いつもどおりご利用いただけます。</p>
          <ButtonLink to={paths.home()} size="lg" pill>
            TOPへ
          </ButtonLink>
        </>
      )}
    </div>
  );
}

function Notice({ info, readOnly }: { info: MaintenanceInfo; readOnly: boolean }) {
  const navigate = useNavigate();
  return (
    <>
      <h1>{info.title}</h1>
      <p className="kn-column kn-pre">{info.message}</p>
      {info.ends_at === null ? (
        <p className="kn-bold">終わる時刻は、決まりしだいお知らせします。</p>
      ) : (
        <Until endsAt={info.ends_at} />
      )}
      {readOnly ? (
        <>
          <p>いまは見ることだけができます。</p>
          <Button
            size="lg"
            pill
            onClick={() => void navigate(maintenanceStore.leave(), { replace: true })}
          >
            前のページに戻る
          </Button>
        </>
      ) : (
        <Note size="md">終わりしだい、自動でもとのページに戻ります。このままお待ちください。</Note>
      )}
    </>
  );
}

function Until({ endsAt }: { endsAt: string }) {
  const now = useNow(1000);
  const passed = Date.parse(endsAt) <= now;
  return (
    <Panel variant="raised" gap="0.25rem" className={styles.until}>
      <p>
        終了予定 <time dateTime={endsAt}>{formatDateTime(endsAt)}</time>
      </p>
      {passed ? (
        <p className="kn-bold">まもなく終わります。</p>
      ) : (
        <p
          className={`kn-figure kn-accent ${styles.clock}`}
          role="timer"
          aria-label="終了予定までの時間"
        >
          {countdown(endsAt, now)}
        </p>
      )}
    </Panel>
  );
}
