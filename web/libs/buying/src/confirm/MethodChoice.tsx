import { cardName, cardQuery } from "@konomana/cart";
import { Note, Panel, Stack, Text, TitledPanel } from "@konomana/ui-base";
import { Radio, RadioGroup } from "@konomana/ui-kit";
import { useQuery } from "@tanstack/react-query";
import type { Confirmation, PaymentMethod } from "../api";
import { methodNames, methodNotes } from "../method/methods";
import { hasSubscription } from "./confirmed";

interface MethodChoiceProps {
  confirmation: Confirmation;
  chosen: PaymentMethod;
  onChoose: (method: PaymentMethod) => void;
}

/** The choice of the payment method, among those that this cart allows. */
export function MethodChoice({ confirmation, chosen, onChoose }: MethodChoiceProps) {
  const { methods } = confirmation;
  const nameOf = useMethodName(methods);
  if (methods.length < 2)
    return (
      <TitledPanel title="お支払い方法" gap="xxs">
        <Text bold>{nameOf(chosen)}</Text>
        <Note>{methodNotes[chosen]}</Note>
        <WhyFew confirmation={confirmation} />
      </TitledPanel>
    );
  return (
    <Panel>
      <RadioGroup
        name="method"
        label="お支払い方法"
        value={chosen}
        onChange={(method) => onChoose(method as PaymentMethod)}
      >
        <Stack gap="xs" mt="xs">
          {methods.map((method) => (
            <Radio
              key={method}
              value={method}
              label={nameOf(method)}
              description={methodNotes[method]}
            />
          ))}
        </Stack>
      </RadioGroup>
      <WhyFew confirmation={confirmation} />
    </Panel>
  );
}

function WhyFew({ confirmation }: Pick<MethodChoiceProps, "confirmation">) {
  return (
    hasSubscription(confirmation) && (
      <Note mt="xs">
        月額サービスをふくむご注文は、クレジットカードだけでお支払いいただけます。毎月の料金も、このカードに請求します。
      </Note>
    )
  );
}

/**
 * The labels of payment methods. The saved card gets its brand and last digits once it is loaded.
 */
function useMethodName(methods: readonly PaymentMethod[]): (method: PaymentMethod) => string {
  const { data: card } = useQuery({ ...cardQuery, enabled: methods.includes("saved_card") });
  return (method) =>
    method === "saved_card" && card ? `登録済みのカード：${cardName(card)}` : methodNames[method];
}
