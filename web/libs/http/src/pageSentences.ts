/** Error messages about a whole page. Every page loads this part for its error page. */
export const pageSentences = {
  FORBIDDEN: "このアカウントでは見られないページです。",
  INTERNAL: "申し訳ありません。サーバーで問題が起きました。しばらくしてからお試しください。",
  NETWORK: "インターネットにつながりません。接続を確かめてからお試しください。",
  OUT_OF_TIME: "時間内に応答がありませんでした。しばらくしてからお試しください。",
  OVERLOADED: "ただいま混み合っています。しばらくしてからお試しください。",
  UNAUTHENTICATED: "ログインの有効期限が切れました。もう一度ログインしてください。",
  UPSTREAM_UNAVAILABLE: "ただいまつながりにくくなっています。しばらくしてからお試しください。",
} as const;
