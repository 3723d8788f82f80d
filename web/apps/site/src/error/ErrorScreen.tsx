import { paths } from "@konomana/paths";
import { ButtonLink, ErrorState, Head, NotFoundContent } from "@konomana/ui-base";
import { useLocation, useNavigate, useRouteError } from "react-router";
import { isBot } from "../router/bots";
import { useIsLoading } from "../router/stall";
import { troubleOf } from "./statuses";

/** Replaces a screen that can't be shown. */
export function ErrorScreen() {
  const error = useRouteError();
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  const retrying = useIsLoading();
  const { status, title, sentence, traceId } = troubleOf(error);

  const retry = () => void navigate(pathname + search + hash, { replace: true });

  if (status === 404) {
    return (
      <>
        <Head title="ページがみつかりません" />
        <NotFoundContent />
      </>
    );
  }
  // The specification, §8: bots do not see render errors, because they would index the error as the
  // page's content.
  if (status === null && isBot(globalThis.navigator?.userAgent ?? "")) return null;
  return (
    <>
      <Head title={title} />
      <ErrorState
        level={1}
        title={title}
        sentence={sentence}
        traceId={traceId}
        retrying={retrying}
        onRetry={status === 403 ? undefined : retry}
      >
        {status === 403 && (
          <ButtonLink pill to={paths.mypage()}>
            マイページへ
          </ButtonLink>
        )}
        {status === 401 && (
          <ButtonLink pill to={paths.login()} variant="default">
            ログインする
          </ButtonLink>
        )}
        <ButtonLink pill to={paths.home()} variant="default">
          TOPへ
        </ButtonLink>
      </ErrorState>
    </>
  );
}
