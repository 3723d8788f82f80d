import { cardExpiry, cardName } from "@konomana/cart";
import { paths } from "@konomana/paths";
import { Note, Text, TextLink, TitledPanel } from "@konomana/ui-base";
import type { Subscription } from "../api";

/** The card that pays for a subscription. */
export function ChargedCard({ card }: Pick<Subscription, "card">) {
  return (
    <TitledPanel gap="xs" title="お支払いのカード">
      {card === null ? (
        <Text accent bold>
          カードが登録されていません。次のお支払いのために、カードを登録してください。
        </Text>
      ) : (
        <>
          <Text>{cardName(card)}</Text>
          {card.is_expired ? (
            <Text accent bold>
              有効期限が{cardExpiry(card)}で切れています。新しいカードに変えてください。
            </Text>
          ) : (
            <Note>有効期限 {cardExpiry(card)}</Note>
          )}
        </>
      )}
      <TextLink to={paths.settingsCard()}>
        {card === null ? "カードを登録する" : "カードを変える"}
      </TextLink>
    </TitledPanel>
  );
}
