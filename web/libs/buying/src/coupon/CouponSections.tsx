import { Lines, Text, TitledPanel } from "@konomana/ui-base";
import type { ReactNode } from "react";
import type { Coupon } from "../api";

interface CouponSectionsProps {
  coupons: readonly Coupon[];
  /** Renders the row of a coupon. */
  children: (coupon: Coupon) => ReactNode;
}

/** Coupons grouped by state: usable now or soon, used, and expired. */
export function CouponSections({ coupons, children }: CouponSectionsProps) {
  const by = (...states: Coupon["state"][]) =>
    coupons.filter(({ state }) => states.includes(state));
  const open = by("usable", "not_started");
  return (
    <>
      <TitledPanel gap="sm" title="持っているクーポン">
        {open.length === 0 ? (
          <Text>
            いま使えるクーポンはありません。クーポンコードをお持ちの方は、上の欄に入力してください。
          </Text>
        ) : (
          <Lines>{open.map(children)}</Lines>
        )}
      </TitledPanel>
      <Section title="使用済みのクーポン" coupons={by("used")}>
        {children}
      </Section>
      <Section title="期限が切れたクーポン" coupons={by("expired", "used_up")}>
        {children}
      </Section>
    </>
  );
}

function Section({ title, coupons, children }: CouponSectionsProps & { title: string }) {
  if (coupons.length === 0) return null;
  return (
    <TitledPanel gap="sm" title={title}>
      <Lines>{coupons.map(children)}</Lines>
    </TitledPanel>
  );
}
