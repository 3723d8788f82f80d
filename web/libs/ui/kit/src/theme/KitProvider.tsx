import "@mantine/core/styles/default-css-variables.layer.css";
import { MantineProvider } from "@mantine/core";
import type { ReactNode } from "react";
import { cssVariables, theme } from "./theme";

/**
 * Gives the fields inside it their theme. It stands in the layouts and screens that have fields: nothing else pays
 * for the kit, and a field outside it throws.
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
