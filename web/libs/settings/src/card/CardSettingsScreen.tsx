import { cardApi, cardExpiry, cardName, cardQuery, type SavedCard } from "@konomana/cart";
import { paths } from "@konomana/paths";
import { ConfirmButton, QueryBoundary } from "@konomana/query";
import {
  Alert,
  Button,
  Group,
  LoadingState,
  Note,
  showBlue,
  Text,
  TextLink,
  TitledPanel,
} from "@konomana/ui-base";
import { type UseQueryResult, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { SettingsPage } from "../parts/SettingsPage";
import { SetUpCard } from "./SetUpCard";

/**
 * /mypage/settings/card: the saved card. The provider's page, where a card is entered, returns
 * here.
 */
export function CardSettingsScreen() {
  const setup = useSearchParams()[0].get("setup");
  const query = useCard(setup === "done");
  return (
    <SettingsPage
      title="お支払いのカード"
      intro="カードを登録しておくと、番号を入力せずに支払えます。カードの番号は決済会社が保管し、コノマナには保存されません。"
    >
      <Outcome setup={setup} query={query} />
      <TitledPanel gap="md" title="登録しているカード">
        <QueryBoundary query={query} loading={<LoadingState rows={1} height="9rem" />}>
          {(card) => (card === null ? <NoCard /> : <Card card={card} />)}
        </QueryBoundary>
      </TitledPanel>
    </SettingsPage>
  );
}

/** The saved card. After a return from the provider's page the server asks the provider first. */
function useCard(isBack: boolean) {
  const isChecked = useRef(!isBack);
  return useQuery({
    ...cardQuery,
    queryFn: async ({ signal }) => {
      const card = await (isChecked.current ? cardApi.find(signal) : cardApi.check());
      // If the provider does not have the card yet, the next fetch checks again.
      isChecked.current = card !== null;
      return card;
    },
    refetchOnReconnect: "always",
  });
}

interface OutcomeProps {
  setup: string | null;
  query: UseQueryResult<SavedCard | null>;
}

/** The result of the visit to the provider's page. */
function Outcome({ setup, query }: OutcomeProps) {
  if (setup === "cancelled")
    return (
      <Alert color="gray" title="カードの登録をやめました">
        カードの登録は変わっていません。
      </Alert>
    );
  if (setup !== "done" || query.data === undefined) return null;
  if (query.data !== null)
    return (
      <div role="status">
        <Alert color="blue" title="カードを登録しました">
          次のお支払いから使えます。
        </Alert>
      </div>
    );
  return (
    <Alert color="red" title="カードの登録を確認できませんでした">
      <p>
        決済会社からの返事が遅れているか、登録の途中だった可能性があります。カードに請求はされていません。
      </p>
      <Button variant="default" busy={query.isFetching} onClick={() => void query.refetch()}>
        もう一度確かめる
      </Button>
    </Alert>
  );
}

function NoCard() {
  return (
    <>
      <Text>カードは登録されていません。</Text>
      <SetUpCard>カードを登録する</SetUpCard>
    </>
  );
}

function Card({ card }: { card: SavedCard }) {
  return (
    <>
      <div>
        <Text bold>{cardName(card)}</Text>
        <Note>有効期限 {cardExpiry(card)}</Note>
      </div>
      {card.is_expired && (
        <Alert color="red" title="カードの有効期限が切れています">
          {card.is_needed
            ? "月額サービスを続けるために、新しいカードに変えてください。"
            : "このカードでは支払えません。新しいカードに変えてください。"}
        </Alert>
      )}
      <Group actions>
        <SetUpCard>カードを変える</SetUpCard>
        {!card.is_needed && <RemoveCard card={card} />}
      </Group>
      {card.is_needed && (
        <Text size="sm">
          月額サービスのお支払いに使っているため、このカードは削除できません。別のカードに変えるか、先に
          <TextLink inline to={paths.orders()}>
            月額サービスを解約
          </TextLink>
          してください。
        </Text>
      )}
    </>
  );
}

function RemoveCard({ card }: { card: SavedCard }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const removing = useMutation({
    mutationFn: () => cardApi.remove(),
    onSuccess: async () => {
      queries.setQueryData(cardQuery.queryKey, null);
      showBlue("カードを削除しました。");
      // Removes the message about the saved card from the address.
      await navigate(paths.settingsCard(), { replace: true });
    },
    // Another device may have started a subscription that needs the card.
    onError: () => queries.invalidateQueries(cardQuery),
  });
  return (
    <ConfirmButton
      label="カードを削除する"
      title={`${cardName(card)}を削除しますか？`}
      yes="削除する"
      doing={removing}
    >
      次のお支払いのときに、カードの番号の入力が必要になります。購入済みの講座は、そのまま使えます。
    </ConfirmButton>
  );
}
