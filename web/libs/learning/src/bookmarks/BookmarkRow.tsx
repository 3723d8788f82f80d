import { CartButton, type Product } from "@konomana/cart";
import { useMark } from "@konomana/query";
import type { Bookmark, InventoryItem } from "@konomana/learner";
import { paths } from "@konomana/paths";
import {
  Badge,
  Button,
  formatDuration,
  formatPrice,
  formatSaleEnd,
  Group,
  Stack,
  Text,
  Title,
  TextLink,
  Panel,
} from "@konomana/ui-base";
import { CourseArt } from "@konomana/ui-base/art";
import { useState } from "react";
import { BookmarkIcon } from "../parts/markIcons";
import styles from "./bookmarks.module.css";

interface BookmarkRowProps {
  bookmark: Bookmark;
  /** The inventory item, if the course is or was owned. */
  item: InventoryItem | null;
  /** The product, if the course is on sale. */
  product: Product | undefined;
}

/**
 * A bookmarked course. A removed bookmark stays visible until the list is opened again, so that it
 * can be undone.
 */
export function BookmarkRow({ bookmark, item, product }: BookmarkRowProps) {
  const { course } = bookmark;
  const [kept, setKept] = useState(true);
  const mark = useMark("bookmark", course.id, setKept);
  const isExpired = item?.is_expired ?? false;
  const canBeBought = item === null || isExpired;
  return (
    <Panel
      as="li"
      pad="1rem 1.25rem"
      className={`kn-row ${styles.row}`}
      data-removed={!kept || undefined}
    >
      <div className={`kn-thumb ${styles.picture}`}>
        <CourseArt category={course.category} schoolYear={course.school_year} />
      </div>
      <div className={`kn-grow ${styles.text}`}>
        <Group gap="xxs" mb="xxs">
          <Badge variant="light" color="gray" size="lg">
            {course.school_year} {course.category}
          </Badge>
          {bookmark.is_check && (
            <Badge color="teal" size="lg">
              修了
            </Badge>
          )}
          {item !== null && (
            <Badge variant="outline" color="gray" size="lg">
              {isExpired ? "期限切れ" : "持っています"}
            </Badge>
          )}
        </Group>
        <Title order={2} size="h4">
          <TextLink
            strong
            to={item === null ? paths.course(course.id) : paths.ownedCourse(item.id)}
          >
            {course.name}
          </TextLink>
        </Title>
        <Text size="sm" dimmed>
          {course.teacher.name}先生・{course.lesson_count}レッスン・
          {formatDuration(course.duration_sum)}
        </Text>
        {canBeBought && product !== undefined && (
          <>
            <Text bold>{formatPrice(product.price)}</Text>
            {product.sale_ends_at !== null && (
              <Text size="sm" dimmed>
                {formatSaleEnd(product.sale_ends_at)}
              </Text>
            )}
          </>
        )}
      </div>
      <Stack gap="xs" className="kn-push">
        {canBeBought && product !== undefined && (
          <CartButton compact product={product.id} name={course.name} again={isExpired} />
        )}
        <Button
          variant="default"
          aria-pressed={kept}
          aria-label={`${course.name}をあとで見る`}
          leftSection={<BookmarkIcon filled={kept} />}
          onClick={() => mark.mutate(!kept)}
        >
          あとで見る
        </Button>
      </Stack>
    </Panel>
  );
}
