import { paths } from "@konomana/paths";
import { QueryBoundary } from "@konomana/query";
import { ButtonLink, Head, LoadingState, showBlue, Stack, Title } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { type CouponList, couponsQuery } from "../api";
import { CodeForm } from "./CodeForm";
import { CouponRow } from "./CouponRow";
import { CouponSections } from "./CouponSections";

/** /mypage/coupon: the account's usable, used and expired coupons. */
export function CouponsScreen() {
  const query = useQuery(couponsQuery);
  return (
    <>
      <Head title="クーポン" />
      <Title order={1} size="h2" mb="lg">
        クーポン
      </Title>
      <QueryBoundary query={query} loading={<LoadingState rows={3} height="8rem" />}>
        {(list) => <Held list={list} />}
      </QueryBoundary>
    </>
  );
}

function Held({ list: { mine } }: { list: CouponList }) {
  return (
    <Stack gap="lg">
      <CodeForm onClaimed={({ name }) => showBlue(`クーポン「${name}」を追加しました。`)} />
      <CouponSections coupons={mine}>
        {(coupon) => <CouponRow key={coupon.id} coupon={coupon} to={paths.coupon(coupon.id)} />}
      </CouponSections>
      {mine.some(({ state }) => state === "usable") && (
        <div>
          <ButtonLink to={paths.cartCoupons()}>カートでクーポンを使う</ButtonLink>
        </div>
      )}
    </Stack>
  );
}
