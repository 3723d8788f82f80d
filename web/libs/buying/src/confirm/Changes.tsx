import { Alert, Note } from "@konomana/ui-base";
import type { Change } from "./changes";

/** The changes since the buyer read the confirmation, with old and new values. */
export function Changes({ changes }: { changes: readonly Change[] }) {
  return (
    <Alert color="red" title="価格または在庫が変更されました。内容をご確認ください。">
      <p>
        注文は、まだ確定していません。新しい内容でよければ、もう一度「注文を確定する」を押してください。
      </p>
      <dl className="kn-facts">
        {changes.map(({ what, before, now }) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>
              <Note as="span">変更前：</Note>
              <del>{before}</del>
            </dd>
            <dd>
              <Note as="span">変更後：</Note>
              <ins className="kn-bold">{now}</ins>
            </dd>
          </div>
        ))}
      </dl>
    </Alert>
  );
}
