import { Alert } from "@konomana/ui-base";

/** Explains why the application can't be changed any more. */
export function Fixed() {
  return (
    <Alert color="blue" title="試験が始まったため、変更できません">
      登録した内容で判定します。まちがいを見つけたときは、お問い合わせからお知らせください。
    </Alert>
  );
}
