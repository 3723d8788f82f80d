import type { ComponentProps, SubmitEvent } from "react";
import { useNavigate } from "react-router";

interface SearchFormProps extends Omit<ComponentProps<"form">, "action" | "onSubmit"> {
  /** The path that the fields are added to as a query. */
  action: string;
  /** Whether the scroll position stays. */
  preventScrollReset?: boolean;
}

/** A native search form. It works before hydration, and afterwards without a reload. */
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
