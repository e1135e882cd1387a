-- expand
-- Who somebody is at a provider of identities: its subject there, never the email, which may be given to somebody else.
create table identities (
  issuer text not null check (length(issuer) between 1 and 500),
  subject text not null check (length(subject) between 1 and 255),
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null,
  primary key (issuer, subject)
);
create index identities_of_user on identities (user_id);
