import { paths } from "@konomana/paths";
import { Suspense, useEffect, useState } from "react";
import { useNavigate } from "react-router";
import { withQueries } from "../lazyQueries";
import styles from "./Header.module.css";
import { SearchIcon } from "./icons";
import { lazyPart } from "./lazyPart";

interface SearchProps {
  onClose: () => void;
}

const load = withQueries(async () => (await import("@konomana/catalog/search")).SearchDialog);

const ahead = () => void load().catch(() => {});

/** Fallback if the search overlay fails to load: opens the search page. */
function SearchPage({ onClose }: SearchProps) {
  const navigate = useNavigate();
  useEffect(() => {
    void navigate(paths.search());
    onClose();
  }, [navigate, onClose]);
  return null;
}

const SearchDialog = lazyPart(load, SearchPage);

/** The header's button that opens the search overlay. The overlay is loaded on hover or focus. */
export function HeaderSearch() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className={`${styles.icon} ${styles.search}`}
        aria-label="サイト内を検索"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        onPointerEnter={ahead}
        onFocus={ahead}
      >
        <SearchIcon />
        <span className={styles.searchWord}>検索</span>
      </button>
      <Suspense>{open && <SearchDialog onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}
