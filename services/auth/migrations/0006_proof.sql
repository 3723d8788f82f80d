-- Each browser proves by itself that the address is theirs. One that did so by the link may not be the one that chose
-- the password.

ALTER TABLE sign_up_handle ADD COLUMN proven_by_link boolean; -- false: by the code; null: not yet
