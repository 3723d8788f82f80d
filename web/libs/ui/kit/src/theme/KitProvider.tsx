import "@mantine/core/styles/default-css-variables.layer.css";
import "./variables.css";
import { MantineContext, MantineThemeProvider } from "@mantine/core";
import { type ComponentProps, type ReactNode, useLayoutEffect } from "react";
import { theme } from "./theme";

/**
 * The context of `MantineProvider`, which would also write the variables of `variables.css` and
 * follow the colour scheme of the device.
 */
const context: ComponentProps<typeof MantineContext>["value"] = {
  colorScheme: "light",
  setColorScheme: () => {},
  clearColorScheme: () => {},
  getRootElement: () => document.documentElement,
  classNamesPrefix: "mantine",
  cssVariablesSelector: ":root",
  withStaticClasses: true,
};

/**
 * Provides the theme to the fields inside it. Only layouts and screens with fields render it, so
 * that other pages do not load the kit. A field outside it throws.
 */
export function KitProvider({ children }: { children: ReactNode }) {
  // The selector of the colours in Mantine's stylesheets. Pages have it from the start, tests do not.
  useLayoutEffect(() => {
    document.documentElement.dataset["mantineColorScheme"] = "light";
  }, []);
  return (
    <MantineContext value={context}>
      <MantineThemeProvider theme={theme}>{children}</MantineThemeProvider>
    </MantineContext>
  );
}
