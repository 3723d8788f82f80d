import { ApiError, pageSentences } from "@konomana/http";
import { isRouteErrorResponse } from "react-router";

/** The content of the error page. */
export interface Trouble {
  /** The HTTP status; 0 if there was no response, `null` if rendering failed. */
  readonly status: number | null;
  readonly title: string;
  readonly sentence: string;
  readonly traceId?: string;
}

interface Row {
  readonly title: string;
  readonly sentence: string;
}

const broken: Row = {
  title: "表示できませんでした",
  sentence: "申し訳ありません。ページを表示するときに問題が起きました。もう一度お試しください。",
};

/** The error pages by status. 404 has its own page. */
const table: Readonly<Record<number, Row>> = {
  0: { title: "つながりません", sentence: pageSentences.NETWORK },
  400: { title: "開けませんでした", sentence: "アドレスに誤りがあるようです。" },
  401: { title: "ログインが必要です", sentence: pageSentences.UNAUTHENTICATED },
  403: { title: "開けないページです", sentence: pageSentences.FORBIDDEN },
  429: { title: "混み合っています", sentence: pageSentences.OVERLOADED },
  500: { title: "表示できませんでした", sentence: pageSentences.INTERNAL },
  502: { title: "つながりにくくなっています", sentence: pageSentences.UPSTREAM_UNAVAILABLE },
  504: { title: "時間がかかりすぎています", sentence: pageSentences.OUT_OF_TIME },
};

/** Converts a thrown value: an API error, a route's own response, or a render error. */
export function troubleOf(error: unknown): Trouble {
  if (error instanceof ApiError) {
    const { status, traceId } = error;
    return { status, ...(table[status] ?? broken), traceId };
  }
  if (isRouteErrorResponse(error)) {
    return { status: error.status, ...(table[error.status] ?? broken) };
  }
  return { status: null, ...broken };
}
