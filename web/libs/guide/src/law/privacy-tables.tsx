/**
 * How long what is kept, as the services really do it: the defaults of auth's configuration and sweep, of
 * desk's mails and inquiries, of the backups. Who changes one there changes it here.
 */
export const kept: readonly (readonly string[])[] = [
  ["登録した内容、住所、パスキー", "退会の手続きから30日まで"],
  [
    "学習の記録（講座、チェック、お気に入り、視聴など）",
    "退会の手続きから30日まで。講座の期限が切れても残ります",
  ],
  ["メールの確認が終わっていない登録", "24時間"],
  ["パスワードを決め直すリンク", "30分"],
  ["メールアドレスの変更の手続き", "24時間（変更後にもとへ戻せる24時間をふくみます）"],
  ["保護者の方への同意のお願い", "返事がなければ48時間。同意の記録は、生徒が退会してから30日まで"],
  ["保護者とつながるためのコード", "24時間"],
  ["保護者の方が進みぐあいを見た記録", "1年"],
  ["ログインの記録", "ログインから30日。終わったあとは、およそ1日で消えます"],
  [
    "ログインの失敗の回数",
    "15分から、待ち時間が終わるまで（メールアドレスは、もとに戻せない値にしています）",
  ],
  ["送ったメールの控え", "送ってから30日"],
  [
    "お問い合わせの内容",
    "暗号化して90日。添えられた画像は7日（送信されなかった画像は1日）。担当者に届くメールにも、同じ内容がふくまれます",
  ],
  [
    "「よくある質問」への投票",
    "数は残ります。同じ人の2回目を防ぐための、もとに戻せない値は、次の日に消えます",
  ],
  ["データベースの控え（バックアップ）", "30日"],
];

/** What the browser keeps, under which names. */
export const stored: readonly (readonly string[])[] = [
  ["XSRF-TOKEN（クッキー）", "なりすましの送信を防ぐための、でたらめな値。ブラウザを閉じるまで"],
  ["konomana.tokens", "ログインしていることの証明。ログアウトするか、30日たつまで"],
  [
    "konomana.user-changed",
    "登録した内容が変わった時刻。同じブラウザのほかの画面に伝えるため。消すまで",
  ],
  ["konomana.campaign", "どのキャンペーンのページから来たか。登録するか、30日たつまで"],
  [
    "konomana.looked",
    "このブラウザで見た講座、新しいものから20件。「最近見た」で消すか、ログアウトするまで",
  ],
  ["konomana.maintenance.seen", "閉じたメンテナンス予告。消すまで"],
  [
    "konomana.draft.…",
    "入力の途中の内容（パスワードをのぞく）。送信するか、ログアウトするか、タブを閉じるまで",
  ],
  [
    "konomana.signup / konomana.return-to / konomana.maintenance / konomana.reloaded:…",
    "登録の続き、もどる先のページなど。タブを閉じるまで",
  ],
];
