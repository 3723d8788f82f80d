import { CartButton, monthlyOffersQuery, type Product } from "@konomana/cart";
import {
  formatSaleEnd,
  formatYen,
  Group,
  Note,
  Panel,
  Stack,
  Text,
  Title,
} from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";

/**
 * Monthly services, below the courses; nothing if there are none. They are fetched after the page
 * loads, because a prerendered page could offer a service that is no longer sold.
 */
export function MonthlyServices() {
  const { data: services = [] } = useQuery(monthlyOffersQuery);
  if (services.length === 0) return null;
  return (
    <Stack as="section" id="monthly" aria-labelledby="monthly-title">
      <Title order={2} size="h3" id="monthly-title">
        月額サービス
      </Title>
      {services.map((service) => (
        <Service key={service.id} service={service} />
      ))}
    </Stack>
  );
}

function Service({ service }: { service: Product }) {
  const { id, name, summary, description, price, sale_ends_at } = service;
  return (
    <Panel gap="sm">
      <Title order={3} size="h4">
        {name}
      </Title>
      <Text>{summary}</Text>
      {description.split(/\n{2,}/).map((paragraph) => (
        <Note key={paragraph}>{paragraph}</Note>
      ))}
      <Group gap="0.5rem 1.5rem">
        <div>
          <Text bold>月{formatYen(price)}（税込）・1か月ごとに自動更新</Text>
          {sale_ends_at !== null && <Note>{formatSaleEnd(sale_ends_at)}</Note>}
        </div>
        <div>
          <CartButton compact product={id} name={name} />
        </div>
      </Group>
    </Panel>
  );
}
