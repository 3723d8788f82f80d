import type { Layout } from "@konomana/screens";
import { Container, Group, LoadingState } from "@konomana/ui-base";
import { Brand } from "./Brand";
import header from "./Header.module.css";
import layouts from "./layouts/layouts.module.css";

/** Layouts whose header has only the brand. */
const QUIET = new Set<Layout>(["custom", "test", "lecture", "lecturev2"]);

/**
 * The static preview in the shell of a page that is not prerendered: the layout's header and a
 * skeleton. React replaces it. It is rendered at build time, so it does not depend on the user.
 */
export function PagePreview({ layout }: { layout: Layout }) {
  if (layout === "none") return <LoadingState />;
  return (
    <div className={layouts.page}>
      {QUIET.has(layout) ? (
        <Group as="header" nowrap className={layouts.bar}>
          <Brand />
        </Group>
      ) : (
        <header className={header.header} data-screen-only>
          <Group nowrap className={`kn-container ${header.inner}`}>
            <Brand />
          </Group>
        </header>
      )}
      <Container as="main" className={layouts.preview}>
        <LoadingState height="8rem" />
      </Container>
    </div>
  );
}
