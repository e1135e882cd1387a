-- expand
-- Each night's comparison of what a provider moved on an account ('' for the site's own) with what stands here.
create table reconciliations (
  provider text not null,
  account_id text not null default '',
  day date not null,
  -- What was looked at: money that was asked for between these.
  since timestamptz not null,
  until timestamptz not null,
  payments integer not null default 0,
  refunds integer not null default 0,
  -- Of the account's owner, not of this site.
  foreign_moves integer not null default 0,
  differences integer not null default 0,
  -- Why nothing could be compared.
  failed text,
  done_at timestamptz not null,
  primary key (provider, account_id, day)
);
-- What a provider moved and what stands here, where they are not the same. Healed by itself, gone by the next look, or open.
create table payment_differences (
  id uuid primary key default uuidv7(),
  institute_id uuid not null references institutes on delete cascade,
  provider text not null,
  account_id text not null default '',
  kind text not null check (kind in ('unheard_payment', 'missing_payment', 'other_amount', 'unheard_refund', 'missing_refund', 'foreign_refund')),
  checkout_id uuid not null references checkouts on delete cascade,
  refund_id uuid references refunds on delete cascade,
  -- How the provider calls the payment or the refund.
  reference text not null,
  ours integer not null,
  theirs integer not null,
  currency text not null check (length(currency) = 3),
  -- When it was asked for here, or moved there.
  about_at timestamptz not null,
  found_at timestamptz not null,
  ended_at timestamptz,
  ended_how text check (ended_how in ('healed', 'gone')),
  unique (kind, reference),
  check ((ended_at is null) = (ended_how is null))
);
create index payment_differences_open on payment_differences (institute_id) where ended_at is null;
create index payment_differences_of_checkout on payment_differences (checkout_id);
create index payment_differences_of_refund on payment_differences (refund_id) where refund_id is not null;
