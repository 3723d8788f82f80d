-- Whether the account is there is not asked again, and no row of it is locked: that took time, for addresses with an
-- account alone. A decoy is swept within a day of its account.
ALTER TABLE sign_up DROP CONSTRAINT sign_up_decoy_of_fkey;
DROP INDEX sign_up_decoy_of;
