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

/** Where the search over the page can't be had, its page takes its place. */
function SearchPage({ onClose }: SearchProps) {
  const navigate = useNavigate();
  useEffect(() => {
    void navigate(paths.search());
    onClose();
  }, [navigate, onClose]);
  return null;
}

const SearchDialog = lazyPart(load, SearchPage);

/** The button of the header that opens the search over the page; it is loaded when somebody reaches for it. */
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
