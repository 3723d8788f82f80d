import { CartButton, useUsableItems } from "@konomana/cart";
import type { CourseCardData } from "../data/courseData";
import { CourseCards } from "./CourseCard";

interface BuyableCardsProps {
  courses: readonly CourseCardData[];
  /** How wide a card is at least. */
  min?: `${number}rem`;
}

/** Courses side by side, each with the way into the cart, or to the course where it is owned. */
export function BuyableCards(props: BuyableCardsProps) {
  return <CourseCards {...props} Action={IntoCart} />;
}

function IntoCart({ course: { id, name, product } }: { course: CourseCardData }) {
  const items = useUsableItems();
  if (product === null) return null;
  return <CartButton compact product={product.id} name={name} owned={items.get(id)} />;
}
