import "@mantine/core/styles/baseline.layer.css";
import "@mantine/core/styles/default-css-variables.layer.css";
import "@mantine/core/styles/global.layer.css";
import { MantineProvider } from "@mantine/core";
import type { ReactNode } from "react";
import { Alerts } from "../alert/Alerts";
import { theme } from "./theme";
import "./tokens.css";

/** Gives everything inside it the theme, and shows the alerts. The site has one look, a light one. */
export function UiProvider({ children }: { children: ReactNode }) {
  return (
    <MantineProvider theme={theme} forceColorScheme="light">
      <Alerts />
      {children}
    </MantineProvider>
  );
}
