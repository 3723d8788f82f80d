import { Icon } from "@konomana/ui-base";

export function MenuIcon() {
  return (
    <Icon>
      <path d="M4 6h16M4 12h16M4 18h16" />
    </Icon>
  );
}

export function CloseIcon() {
  return (
    <Icon>
      <path d="M6 6l12 12M18 6L6 18" />
    </Icon>
  );
}

export function SearchIcon() {
  return (
    <Icon>
      <circle cx="10.5" cy="10.5" r="6.5" />
      <path d="M15.5 15.5L21 21" />
    </Icon>
  );
}

export function CartIcon() {
  return (
    <Icon>
      <path d="M3 4h2.5l2.4 11h9.6L20 7.5H6.3" />
      <circle cx="9.5" cy="19" r="1.4" />
      <circle cx="16" cy="19" r="1.4" />
    </Icon>
  );
}
