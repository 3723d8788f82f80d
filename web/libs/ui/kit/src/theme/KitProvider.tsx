import "@mantine/core/styles/default-css-variables.layer.css";
import { MantineProvider } from "@mantine/core";
import type { ReactNode } from "react";
import { cssVariables, theme } from "./theme";

/**
 * Provides the theme to the fields inside it. Only layouts and screens with fields render it, so
 * that other pages do not load the kit. A field outside it throws.
 */
export function KitProvider({ children }: { children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      forceColorScheme="light"
      withGlobalClasses={false}
    >
      {children}
    </MantineProvider>
  );
}
