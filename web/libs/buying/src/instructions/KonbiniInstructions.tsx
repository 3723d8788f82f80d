import { formatPrice, Note, Stack, Tabs, Text } from "@konomana/ui-base";
import { useState } from "react";
import type { Konbini } from "../api";
import { dueBy } from "../order/dueBy";
import { chains } from "./chains";
import { PaymentFact } from "./PaymentFact";
import styles from "./instructions.module.css";

interface KonbiniInstructionsProps {
  konbini: Konbini;
  /** In yen. */
  total: number;
}

/**
 * Instructions to pay at a convenience store: the codes and the steps of each chain. Print shows
 * all chains.
 */
export function KonbiniInstructions({ konbini, total }: KonbiniInstructionsProps) {
  const [open, setOpen] = useState<string>(konbini.stores[0]?.store ?? "");
  const { stores } = konbini;
  return (
    <Stack gap="md">
      <Text>
        お近くのお店を選んでください。どのお店でも、
        <strong>{dueBy(konbini.expires_at)}まで</strong>に、現金で
        <strong>{formatPrice(total)}</strong>を支払います。
      </Text>
      <div className={styles.chains} data-screen-only>
        <Tabs
          label="支払うお店"
          open={open}
          onOpen={setOpen}
          tabs={stores.map((store) => ({
            name: store.store,
            label: chains[store.store].name,
            content: <StoreGuide store={store} />,
          }))}
        />
      </div>
      <div className={styles.printOnly}>
        {stores.map((store) => (
          <section key={store.store}>
            <h3>{chains[store.store].name}</h3>
            <StoreGuide store={store} />
          </section>
        ))}
      </div>
      <Note>
        機械の表示は、変わることがあります。分からないときは、この画面をお店の方に見せてください。お支払いのあと、数分で受講できるようになります。
      </Note>
    </Stack>
  );
}

/** The codes only. Used in a `dl`. */
export function KonbiniCodes({ konbini }: Pick<KonbiniInstructionsProps, "konbini">) {
  return konbini.stores.map(({ store, payment_code, confirmation_number }) => (
    <PaymentFact key={store} name={chains[store].name}>
      {`支払いコード ${payment_code}${confirmation_number === "" ? "" : `・確認番号 ${confirmation_number}`}`}
    </PaymentFact>
  ));
}

function StoreGuide({ store }: { store: Konbini["stores"][number] }) {
  const { payment_code, confirmation_number } = store;
  const hasNumber = confirmation_number !== "";
  return (
    <Stack gap="md">
      <Stack as="dl" gap="sm">
        <PaymentFact name="支払いコード" copies={payment_code} large>
          {payment_code}
        </PaymentFact>
        {hasNumber && (
          <PaymentFact name="確認番号" copies={confirmation_number} large>
            {confirmation_number}
          </PaymentFact>
        )}
      </Stack>
      <ol className="kn-bullets">
        {chains[store.store].stepsWith(hasNumber).map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </Stack>
  );
}
