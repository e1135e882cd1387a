-- expand
-- Keys of devices that open an account in place of its password.
create table passkeys (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users on delete cascade,
  -- What the device calls it, and the half of it that proves what the other half signed.
  credential_id bytea not null unique check (length(credential_id) between 1 and 1023),
  public_key bytea not null,
  -- How often it signed, as far as the device counts; it never goes back.
  sign_count int8 not null check (sign_count >= 0),
  name text not null check (length(name) between 1 and 80),
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkeys_of_user on passkeys (user_id);

-- What a browser was asked to sign: good once, for minutes. With an account where it adds a passkey to it.
create table passkey_challenges (
  challenge_hash bytea primary key check (length(challenge_hash) = 32),
  user_id uuid references users on delete cascade,
  expires_at timestamptz not null
);
create index passkey_challenges_by_end on passkey_challenges (expires_at);
create index passkey_challenges_of_user on passkey_challenges (user_id) where user_id is not null;
