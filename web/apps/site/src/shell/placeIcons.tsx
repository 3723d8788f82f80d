import { Icon } from "@konomana/ui-base";

export function HomeIcon() {
  return (
    <Icon>
      <path d="M4 11l8-7 8 7v8a1 1 0 0 1-1 1h-4v-6H9v6H5a1 1 0 0 1-1-1z" />
    </Icon>
  );
}

export function BellIcon() {
  return (
    <Icon>
      <path d="M6 16V11a6 6 0 0 1 12 0v5l1.5 2h-15zM10 20.5h4" />
    </Icon>
  );
}

export function FlagIcon() {
  return (
    <Icon>
      <path d="M6 21V4h12l-3 4.5 3 4.5H6" />
    </Icon>
  );
}

export function BookIcon() {
  return (
    <Icon>
      <path d="M12 6c-2.5-1.8-5.5-2.3-9-2v14c3.5-.3 6.5.2 9 2 2.5-1.8 5.5-2.3 9-2V4c-3.5-.3-6.5.2-9 2zM12 6v14" />
    </Icon>
  );
}

export function BookmarkIcon() {
  return (
    <Icon>
      <path d="M7 4h10a1 1 0 0 1 1 1v15l-6-4-6 4V5a1 1 0 0 1 1-1z" />
    </Icon>
  );
}

export function StarIcon() {
  return (
    <Icon>
      <path d="M12 3.5l2.6 5.4 5.9.8-4.3 4.1 1 5.9-5.2-2.8-5.2 2.8 1-5.9-4.3-4.1 5.9-.8z" />
    </Icon>
  );
}

export function ClockIcon() {
  return (
    <Icon>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M12 7.5V12l3 2" />
    </Icon>
  );
}

export function BarsIcon() {
  return (
    <Icon>
      <path d="M4 20V10M12 20V4M20 20v-7" />
    </Icon>
  );
}

export function ReceiptIcon() {
  return (
    <Icon>
      <path d="M6 3.5h12V21l-3-2-3 2-3-2-3 2zM9 8.5h6M9 12.5h6" />
    </Icon>
  );
}

export function TicketIcon() {
  return (
    <Icon>
      <path d="M3.5 6.5h17v3.5a2 2 0 0 0 0 4v3.5h-17V14a2 2 0 0 0 0-4zM14.5 7v2M14.5 11v2M14.5 15v2" />
    </Icon>
  );
}

export function MessageIcon() {
  return (
    <Icon>
      <path d="M3.5 5.5h17v11h-9l-4.5 4v-4h-3.5zM8 9.5h8M8 12.5h5" />
    </Icon>
  );
}

export function PaperIcon() {
  return (
    <Icon>
      <path d="M6 3.5h9l3.5 3.5v13.5H6zM9 10h6M9 13.5h6M9 17h3" />
    </Icon>
  );
}

export function CalendarIcon() {
  return (
    <Icon>
      <path d="M4 5.5h16V20H4zM4 10h16M8.5 3v4M15.5 3v4" />
    </Icon>
  );
}

export function PersonIcon() {
  return (
    <Icon>
      <circle cx="12" cy="8" r="4" />
      <path d="M4.5 20c1-4 4-6 7.5-6s6.5 2 7.5 6" />
    </Icon>
  );
}

export function SettingsIcon() {
  return (
    <Icon>
      <path d="M4 7h8M18 7h2M4 17h2M12 17h8" />
      <circle cx="15" cy="7" r="2.5" />
      <circle cx="9" cy="17" r="2.5" />
    </Icon>
  );
}
