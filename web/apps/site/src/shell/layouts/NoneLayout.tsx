import { Outlet } from "react-router";
import { Main } from "../Main";

/** Nothing but the screen. */
export function NoneLayout() {
  return (
    <Main>
      <Outlet />
    </Main>
  );
}
