import type { InventoryItem } from "@konomana/learner";
import { Badge, formatLastDay, Group, Text } from "@konomana/ui-base";

/** The states of an item: new, expired, completed, renewed automatically. */
export function ItemBadges({ item }: { item: InventoryItem }) {
  return (
    <Group gap="xxs">
      <Badge variant="light" color="gray" size="lg">
        {item.course.school_year} {item.course.category}
      </Badge>
      {item.is_expired && (
        <Badge color="gray" size="lg">
          期限切れ
        </Badge>
      )}
      {item.is_new && (
        <Badge color="red" size="lg">
          新着
        </Badge>
      )}
      {item.completed_at && (
        <Badge color="teal" size="lg">
          修了
        </Badge>
      )}
      {item.is_auto_renewal && (
        <Badge variant="outline" color="blue" size="lg">
          自動更新
        </Badge>
      )}
    </Group>
  );
}

/** The end of an item's use, and whether it is renewed automatically. */
export function Expiry({ item }: { item: InventoryItem }) {
  return (
    <Text size="sm" dimmed>
      {item.expire_at === null ? "期限なし" : `${formatLastDay(item.expire_at)}${whatThen(item)}`}
    </Text>
  );
}

function whatThen({ is_expired, is_auto_renewal }: InventoryItem): string {
  if (is_expired) return "に終了";
  return is_auto_renewal ? "のあと自動で更新" : "まで";
}
