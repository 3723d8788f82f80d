-- Web Push: the browsers that get notifications, and the notifications that wait for them.

CREATE TABLE push_subscription (
    id uuid CONSTRAINT push_subscription_pkey PRIMARY KEY,
    account uuid NOT NULL,
    endpoint_hash bytea NOT NULL CONSTRAINT push_subscription_endpoint UNIQUE, -- keyed
    -- Endpoint and keys under AES-256-GCM: nonce, ciphertext, tag. NULL once the push service has ended it.
    sealed bytea,
    device text NOT NULL, -- display name, e.g. iPhone の Safari
    created_at timestamptz NOT NULL,
    sent_at timestamptz, -- the last accepted push
    ended_at timestamptz,
    CONSTRAINT push_subscription_ended CHECK ((ended_at IS NULL) = (sealed IS NOT NULL))
);
CREATE INDEX push_subscription_account ON push_subscription (account);

-- A row is deleted when the push service has accepted or refused it.
CREATE TABLE push (
    id uuid CONSTRAINT push_pkey PRIMARY KEY,
    subscription uuid NOT NULL CONSTRAINT push_subscription REFERENCES push_subscription ON DELETE CASCADE,
    notification uuid NOT NULL,
    topic text NOT NULL,
    sealed bytea NOT NULL, -- the message, as above
    created_at timestamptz NOT NULL,
    traceparent text,
    tries integer NOT NULL,
    next_try_at timestamptz NOT NULL -- while a dispatcher sends it: the end of its lease
);
CREATE INDEX push_created_at ON push (created_at, id);
CREATE INDEX push_of_subscription ON push (subscription);
CREATE INDEX push_notification ON push (notification);
