-- expand
-- What the bank of a client took back of a payment, for now or for good. While it is open, and where it is lost, the money is not the institute's.
create table disputes (
  id uuid primary key default uuidv7(),
  institute_id uuid not null references institutes on delete cascade,
  checkout_id uuid not null references checkouts on delete cascade,
  -- The visit it was paid for.
  appointment_id uuid not null,
  -- In whose books it stands; null where the payment never was in any.
  sale_id uuid,
  provider text not null,
  -- How the provider calls it.
  reference text not null,
  amount integer not null check (amount > 0),
  currency text not null check (length(currency) = 3),
  state text not null check (state in ('open', 'won', 'lost')),
  why text check (why in ('not_theirs', 'not_received', 'not_as_told', 'twice', 'not_returned')),
  -- Until when the institute may say why the money is its own.
  answer_by timestamptz,
  opened_at timestamptz not null,
  ended_at timestamptz,
  unique (provider, reference),
  check ((state = 'open') = (ended_at is null)),
  foreign key (sale_id, institute_id) references sales (id, institute_id)
);
create index disputes_of_institute on disputes (institute_id, opened_at);
create index disputes_of_checkout on disputes (checkout_id);
create index disputes_of_sale on disputes (sale_id) where sale_id is not null;

alter table ledger_lines drop constraint ledger_lines_account_check;
alter table ledger_lines add constraint ledger_lines_account_check
  check (account in ('cash', 'terminal', 'online', 'prepayments', 'revenue', 'vat', 'tips', 'kept', 'gift_cards', 'packages', 'expired', 'disputed')) not valid;

-- In a trial the bank of a client is whoever opens a paid page again.
alter table sandbox_pages add column dispute text constraint sandbox_pages_dispute_check check (dispute in ('open', 'won', 'lost'));
