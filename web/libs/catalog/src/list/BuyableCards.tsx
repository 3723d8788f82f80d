import { CartButton, useUsableItems } from "@konomana/cart";
import type { CourseCardData } from "../data/courseData";
import { CourseCards } from "./CourseCard";

interface BuyableCardsProps {
  courses: readonly CourseCardData[];
  /** Minimum width of a card. */
  min?: `${number}rem`;
}

/** A grid of courses, each with a cart button, or a link to the course if it is owned. */
export function BuyableCards(props: BuyableCardsProps) {
  return <CourseCards {...props} Action={IntoCart} />;
}

function IntoCart({ course: { id, name, product } }: { course: CourseCardData }) {
  const items = useUsableItems();
  if (product === null) return null;
  return <CartButton compact product={product.id} name={name} owned={items.get(id)} />;
}
