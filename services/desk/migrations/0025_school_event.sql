-- Events of the school with a limited number of places, and the people who have signed up.

CREATE TABLE school_event (
    id bigint CONSTRAINT school_event_pkey PRIMARY KEY,
    title text NOT NULL,
    summary text NOT NULL,
    description text NOT NULL, -- with the markup of notice.body
    place text NOT NULL,
    starts_at timestamptz NOT NULL,
    ends_at timestamptz NOT NULL,
    sign_up_until timestamptz NOT NULL,
    capacity integer NOT NULL,
    materials text NOT NULL, -- for participants after the end; empty: none
    round integer NOT NULL, -- from 1; the next date of the event, after the end of the last one, is a new round
    revision integer NOT NULL, -- how often title, place or times of this round have changed
    -- Places of people who have signed up or have an offer. Every change of an entry locks this row first.
    taken integer NOT NULL,
    CONSTRAINT school_event_taken CHECK (taken BETWEEN 0 AND capacity),
    CONSTRAINT school_event_times CHECK (sign_up_until <= starts_at AND starts_at < ends_at)
);

CREATE TABLE school_event_entry (
    id uuid CONSTRAINT school_event_entry_pkey PRIMARY KEY,
    event bigint NOT NULL CONSTRAINT school_event_entry_event REFERENCES school_event,
    account uuid NOT NULL, -- the participant
    booked_by uuid NOT NULL, -- the participant, or the guardian who signed the participant up
    state text NOT NULL CONSTRAINT school_event_entry_state
        CHECK (state IN ('signed_up', 'waiting', 'offered', 'cancelled', 'lapsed')),
    queue bigint GENERATED ALWAYS AS IDENTITY, -- the order of the waiting list
    created_at timestamptz NOT NULL,
    changed_at timestamptz NOT NULL, -- the last change of the state
    offer_until timestamptz,
    -- Name and mail address of who booked, and the participant's name, under AES-256-GCM: nonce, ciphertext, tag.
    -- NULL once the entry has ended or the account was erased.
    sealed bytea,
    reminder uuid, -- the mail that reminds of the event
    CONSTRAINT school_event_entry_offer CHECK ((state = 'offered') = (offer_until IS NOT NULL))
);
CREATE UNIQUE INDEX school_event_entry_once ON school_event_entry (event, account)
    WHERE state IN ('signed_up', 'waiting', 'offered');
CREATE INDEX school_event_entry_queue ON school_event_entry (event, queue) WHERE state IN ('waiting', 'offered');
CREATE INDEX school_event_entry_account ON school_event_entry (account);
CREATE INDEX school_event_entry_booked_by ON school_event_entry (booked_by);
