import { type Cart, cartApi, type CartLine } from "@konomana/cart";
import { paths } from "@konomana/paths";
import type { User } from "@konomana/session";
import {
  Badge,
  Button,
  Group,
  Note,
  Stack,
  Text,
  TextLink,
  VisuallyHidden,
} from "@konomana/ui-base";
import { SelectField } from "@konomana/ui-kit";
import styles from "./cart.module.css";
import { takerOf } from "../order/takerOf";
import { LineProblem } from "./LineProblem";
import { periodOf, pricePerMonth, saleEndOf } from "./period";
import { useCartChange } from "./useCartChange";

interface CartRowProps {
  line: CartLine;
  learners: Cart["learners"];
  user: User;
  onRemoved: (line: CartLine) => void;
}

/**
 * A line of the cart: learner, period and price, the reason if it can't be bought, and a button
 * that removes it.
 */
export function CartRow({ line, learners, user, onRemoved }: CartRowProps) {
  const { product } = line;
  const removing = useCartChange(async () => {
    const cart = await cartApi.remove(line.id);
    onRemoved(line);
    return cart;
  }, `「${product.name}」をカートから出せませんでした。`);
  return (
    <li className="kn-row kn-roomy">
      <Stack gap="xxs" className="kn-grow">
        <Name line={line} />
        {periodOf(product) !== "" && <Note>{periodOf(product)}</Note>}
        {saleEndOf(product) !== "" && <Note>{saleEndOf(product)}</Note>}
        {line.asked_by?.name && <Note>{line.asked_by.name}さんからのお願いです。</Note>}
        <ForWhom line={line} learners={learners} user={user} />
        {line.is_ordered && (
          <Badge color="blue" size="lg">
            お支払い手続き中
          </Badge>
        )}
        <LineProblem
          line={line}
          learner={learners.find(({ id }) => id === line.learner.id)}
          user={user}
        />
      </Stack>
      <Group justify="flex-end" className="kn-push">
        <Text bold dimmed={line.problem !== null}>
          {pricePerMonth(product)}
        </Text>
        {!line.is_ordered && (
          <Button
            variant="default"
            size="sm"
            busy={removing.isPending}
            aria-label={`削除（${product.name}）`}
            onClick={() => removing.mutate()}
          >
            削除
          </Button>
        )}
      </Group>
    </li>
  );
}

function Name({ line: { product } }: { line: CartLine }) {
  if (product.course_id === null) return <Text bold>{product.name}</Text>;
  return (
    <TextLink strong to={paths.course(product.course_id)}>
      {product.name}
    </TextLink>
  );
}

/** The learner of a line. A select if the account may buy for several learners. */
function ForWhom({ line, learners, user }: Omit<CartRowProps, "onRemoved">) {
  const taker = takerOf(line.product.kind);
  const assigning = useCartChange(
    (learner: string) => cartApi.assign(line.id, learner),
    `${taker}を変えられませんでした。`,
  );
  const isLinked = learners.some(({ id }) => id === line.learner.id);
  if (line.is_ordered || learners.length === 0 || (learners.length === 1 && isLinked)) {
    // Hidden for a learner who buys only for themselves.
    return line.learner.id === user.id ? null : (
      <Note>
        {taker}：{line.learner.name}さん
      </Note>
    );
  }
  const choices = learners.map(({ id, name }) => ({ value: id, label: `${name}さん` }));
  return (
    <div className={styles.learner}>
      <SelectField
        label={
          <>
            {taker}
            <VisuallyHidden>（{line.product.name}）</VisuallyHidden>
          </>
        }
        value={assigning.isPending ? assigning.variables : isLinked ? line.learner.id : ""}
        onChange={({ currentTarget }) => assigning.mutate(currentTarget.value)}
        data={isLinked ? choices : [{ value: "", label: "選んでください" }, ...choices]}
      />
    </div>
  );
}
