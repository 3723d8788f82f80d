import { ApiError } from "@konomana/http";
import { isRouteErrorResponse } from "react-router";

/** What the error page says and offers. */
export interface Trouble {
  /** The HTTP status; 0 when there was no answer, null when the page itself broke. */
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

/**
 * The error page by status; 404 has a page of its own. The large table by reason is for screens: every
 * page loads this one.
 */
const table: Readonly<Record<number, Row>> = {
  0: {
    title: "つながりません",
    sentence: "インターネットの接続を確かめて、もう一度お試しください。",
  },
  400: { title: "開けませんでした", sentence: "アドレスに誤りがあるようです。" },
  401: { title: "ログインが必要です", sentence: "もう一度ログインしてください。" },
  403: { title: "開けないページです", sentence: "このアカウントでは見られないページです。" },
  429: {
    title: "混み合っています",
    sentence: "しばらくしてから、もう一度お試しください。",
  },
  500: {
    title: "表示できませんでした",
    sentence: "申し訳ありません。サーバーで問題が起きました。",
  },
  502: {
    title: "つながりにくくなっています",
    sentence: "しばらくしてから、もう一度お試しください。",
  },
  504: {
    title: "時間がかかりすぎています",
    sentence: "しばらくしてから、もう一度お試しください。",
  },
};

/** Reads what was thrown: an answer of the API, a route's own answer, or a fault of the page. */
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
