-- expand
-- What the setup of an institute tells beside what was known: its logo, its deposit, and claims of listed institutes.

alter table institutes add column logo_url text check (logo_url like '/%');
alter table institutes add column deposit_kind text not null default 'none' check (deposit_kind in ('none', 'fixed', 'percent'));
-- minor units where it is fixed
alter table institutes add column deposit_amount integer check (deposit_amount > 0);
alter table institutes add column deposit_percent smallint check (deposit_percent between 1 and 100);

-- Somebody says that a listed institute is theirs; an operator decides.
create table institute_claims (
  id uuid primary key default uuidv7(),
  institute_id uuid not null references institutes on delete cascade,
  user_id uuid not null references users on delete cascade,
  state text not null default 'waiting' check (state in ('waiting', 'accepted', 'refused')),
  -- all that the setup told, written to the institute once it is accepted
  draft jsonb not null,
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  check ((state = 'waiting') = (decided_at is null))
);
create unique index institute_claims_one_of_user on institute_claims (user_id) where state <> 'accepted';
create unique index institute_claims_one_accepted on institute_claims (institute_id) where state = 'accepted';
create index institute_claims_of_institute on institute_claims (institute_id);
