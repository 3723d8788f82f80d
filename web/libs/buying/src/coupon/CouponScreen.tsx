import { paths } from "@konomana/paths";
import { QueryBoundary } from "@konomana/query";
import {
  ButtonLink,
  Group,
  Head,
  LoadingState,
  Panel,
  Stack,
  Text,
  TextLink,
  Title,
} from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { type Coupon, couponQuery } from "../api";
import { CouponConditions } from "./CouponConditions";
import { UsedIn } from "./CouponRow";
import { CouponState } from "./CouponState";
import { discountWords } from "./couponWords";

/** /mypage/coupon/{id}: one coupon with its conditions and its use. */
export function CouponScreen() {
  const { id = "" } = useParams();
  const query = useQuery(couponQuery(Number(id)));
  return (
    <>
      <TextLink to={paths.coupons()}>← クーポンの一覧にもどる</TextLink>
      <QueryBoundary query={query} loading={<CouponLoading />}>
        {(coupon) => <Detail coupon={coupon} />}
      </QueryBoundary>
    </>
  );
}

function CouponLoading() {
  return (
    <>
      <Head title="クーポン" />
      <LoadingState rows={2} height="12rem" />
    </>
  );
}

function Detail({ coupon }: { coupon: Coupon }) {
  return (
    <Stack gap="lg">
      <Head title={coupon.name} />
      <Title order={1} size="h2">
        {coupon.name}
      </Title>
      <Panel gap="sm">
        <p className="kn-figure">{discountWords(coupon.discount)}</p>
        <Text>{coupon.description}</Text>
        <CouponState coupon={coupon} />
        <UsedIn coupon={coupon} />
        {coupon.state === "usable" && (
          <Group actions>
            <ButtonLink to={paths.cartCoupon(coupon.id)}>カートで使う</ButtonLink>
          </Group>
        )}
      </Panel>
      <Panel as="section" aria-label="クーポンの条件">
        <CouponConditions coupon={coupon} />
      </Panel>
    </Stack>
  );
}
