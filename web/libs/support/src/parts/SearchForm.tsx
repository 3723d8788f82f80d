import type { ComponentProps, SubmitEvent } from "react";
import { useNavigate } from "react-router";

interface SearchFormProps extends Omit<ComponentProps<"form">, "action" | "onSubmit"> {
  /** The path whose query the fields become. */
  action: string;
  /** Whether the page stays where it is scrolled to. */
  preventScrollReset?: boolean;
}

/** A form of the browser's own for a search: it works before any script runs, and after that without a reload. */
export function SearchForm({ action, preventScrollReset = false, ...rest }: SearchFormProps) {
  const navigate = useNavigate();
  const search = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const query = new URLSearchParams();
    for (const [name, value] of new FormData(event.currentTarget))
      if (typeof value === "string") query.append(name, value);
    void navigate(`${action}?${query}`, { preventScrollReset });
  };
  return <form {...rest} role="search" action={action} onSubmit={search} />;
}
