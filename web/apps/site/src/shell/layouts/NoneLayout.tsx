import { Outlet } from "react-router";
import { Main } from "../Main";

/** A layout with the screen only. */
export function NoneLayout() {
  return (
    <Main>
      <Outlet />
    </Main>
  );
}
