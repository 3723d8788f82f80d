import { Button, Group, Text } from "@konomana/ui-base";

interface LinkPagerProps {
  page: number;
  pages: number;
  onPrevious: (() => void) | null;
  onNext: (() => void) | null;
}

/** 前へ and 次へ for a list whose pages the server links; nothing where there is one page only. */
export function LinkPager({ page, pages, onPrevious, onNext }: LinkPagerProps) {
  if (pages <= 1) return null;
  return (
    <Group as="nav" aria-label="ページ" justify="center" gap="xs" mt="xl">
      <Step label="前へ" onClick={onPrevious} />
      <Text aria-live="polite" bold>
        {page} / {pages}ページ
      </Text>
      <Step label="次へ" onClick={onNext} />
    </Group>
  );
}

/** At either end the button stays, says that it leads nowhere, and keeps the focus. */
function Step({ label, onClick }: { label: string; onClick: (() => void) | null }) {
  return (
    <Button
      variant="default"
      aria-disabled={onClick === null}
      data-disabled={onClick === null || undefined}
      onClick={() => onClick?.()}
    >
      {label}
    </Button>
  );
}
