/** The company that runs the site. All of it is fictional: the product is a demonstration. */
export const seller = {
  name: "株式会社コノマナ",
  fiction: "実在しない、架空の会社です",
  representative: "代表取締役 河野 真名（架空の人物です）",
  address: "〒100-0000 東京都千代田区学びが丘1丁目2番3号 コノマナビル4階（実在しない住所です）",
  phone: "03-0000-0000（つながらない、架空の番号です）",
  hours: "平日 10時〜18時（土日・祝日・年末年始を除く）",
  email: "support@konomana.example",
} as const;
