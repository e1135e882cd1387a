-- expand
-- What the provider of payments sends to the bank of an institute, as it was read there.
create table payouts (
  id uuid primary key default uuidv7(),
  institute_id uuid not null references institutes on delete cascade,
  provider text not null,
  -- How the provider calls it.
  reference text not null,
  -- Below zero where the provider takes it from the bank.
  amount integer not null,
  currency text not null check (length(currency) = 3),
  state text not null check (state in ('coming', 'paid', 'failed', 'cancelled')),
  problem text check (problem in ('account_gone', 'account_blocked', 'other_owner', 'declined')),
  made_at timestamptz not null,
  -- The provider's day, in UTC.
  arrives_on date not null,
  -- Whether its parts were read, and whether the provider says them at all.
  parts text not null default 'unread' check (parts in ('unread', 'read', 'untold')),
  unique (institute_id, provider, reference)
);
create index payouts_of_institute on payouts (institute_id, made_at);

-- What a payout is made up of: amounts less fees.
create table payout_moves (
  payout_id uuid not null references payouts on delete cascade,
  institute_id uuid not null references institutes on delete cascade,
  -- How the provider calls it.
  reference text not null,
  kind text not null check (kind in ('payment', 'refund', 'dispute', 'fee', 'other')),
  -- The payment of this site that it is or is of; null for what is somebody else's.
  checkout_id uuid references checkouts on delete set null,
  amount integer not null,
  provider_fee integer not null default 0,
  site_fee integer not null default 0,
  tax integer not null default 0,
  said text,
  moved_at timestamptz not null,
  primary key (payout_id, reference)
);
create index payout_moves_of_institute on payout_moves (institute_id);
create index payout_moves_of_checkout on payout_moves (checkout_id) where checkout_id is not null;

-- When the payouts of an institute were read last, and why they could not be.
create table payout_reads (
  institute_id uuid not null references institutes on delete cascade,
  provider text not null,
  -- When somebody last tried.
  tried_at timestamptz not null,
  read_at timestamptz,
  failed text,
  primary key (institute_id, provider)
);

-- The sandbox pays each institute out: whose a payment is, and when a bank took money back and gave it again.
alter table sandbox_pages add column institute text;
alter table sandbox_pages add column disputed_at timestamptz;
alter table sandbox_pages add column dispute_ended_at timestamptz;

-- Seeing payouts is a permission too.
alter table program_keys drop constraint program_keys_permissions_check;
alter table program_keys add constraint program_keys_permissions_check check (cardinality(permissions) > 0
  and permissions <@ array['diary.own','diary.read','diary.change','diary.overbook','customers.read','customers.change','customers.health','customers.export','messages.answer','sales.read','sales.take','sales.refund','payouts.read','services.change','team.change','reviews.answer','institute.change','payments.connect','institute.export','people.change']) not valid;
