-- expand
-- Money: what was sold, what was paid for it, and the documents of both. Amounts are minor units of the currency beside them; days are the institute's.

alter table institutes
  -- What stands on its documents beside its name; the name alone where there is none.
  add column legal_name text check (length(legal_name) between 1 and 120),
  add column vat_number text check (length(vat_number) between 1 and 40),
  -- Hundredths of a percent; null: the usual rate of its country.
  add column vat_basis_points integer check (vat_basis_points between 0 and 5000);

create table products (
  id uuid primary key default uuidv7(),
  institute_id uuid not null references institutes on delete cascade,
  name text not null check (length(name) between 1 and 80),
  price_amount integer not null check (price_amount between 0 and 100000000),
  vat_basis_points integer check (vat_basis_points between 0 and 5000),
  -- How many are on the shelf; null where nobody counts. May fall below zero: what was sold was there.
  stock integer,
  archived_at timestamptz,
  created_at timestamptz not null,
  unique (id, institute_id)
);
create index products_of_institute on products (institute_id);

-- What is paid for at once: a visit, or what was sold over the counter alone. Made with its first money or document.
create table sales (
  id uuid primary key default uuidv7(),
  institute_id uuid not null references institutes on delete cascade,
  appointment_id uuid unique,
  customer_id uuid,
  currency text not null check (length(currency) = 3),
  -- When something last happened to its money.
  sold_at timestamptz not null,
  unique (id, institute_id),
  foreign key (appointment_id, institute_id) references appointments (id, institute_id),
  foreign key (customer_id, institute_id) references customers (id, institute_id)
);
create index sales_of_institute on sales (institute_id, sold_at desc);
create index sales_of_customer on sales (customer_id) where customer_id is not null;

-- Numbers without a gap: the last one of each kind and year, taken in the transaction that issues the document.
create table document_series (
  institute_id uuid not null references institutes on delete cascade,
  kind text not null check (kind in ('invoice', 'credit_note')),
  year smallint not null,
  last integer not null check (last > 0),
  primary key (institute_id, kind, year)
);
-- The end of an institute's chain of documents: each one seals the one before.
create table document_chains (
  institute_id uuid primary key references institutes on delete cascade,
  position integer not null check (position > 0),
  hash bytea not null
);

create table documents (
  id uuid primary key default uuidv7(),
  institute_id uuid not null references institutes on delete cascade,
  sale_id uuid not null,
  kind text not null check (kind in ('invoice', 'credit_note')),
  year smallint not null,
  number integer not null check (number > 0),
  -- The invoice a credit note corrects.
  corrects uuid references documents,
  issued_at timestamptz not null,
  day date not null,
  currency text not null check (length(currency) = 3),
  -- With VAT, and the VAT in it; of a credit note what goes back, below zero as its lines are.
  total integer not null,
  vat integer not null,
  -- Who sold and to whom, as both were called then: { seller: { name, legalName, vatNumber, address }, client }.
  parties jsonb not null check (jsonb_typeof(parties) = 'object'),
  reason text check (length(reason) between 1 and 300),
  actor jsonb not null,
  -- Place in the institute's chain, from 1, and the hash of the document before; sha-256.
  position integer not null check (position > 0),
  previous_hash bytea not null check (length(previous_hash) = 32),
  hash bytea not null check (length(hash) = 32),
  unique (id, institute_id),
  unique (institute_id, kind, year, number),
  unique (institute_id, position),
  foreign key (sale_id, institute_id) references sales (id, institute_id),
  check ((kind = 'credit_note') = (corrects is not null)),
  check ((kind = 'credit_note') = (reason is not null))
);
create unique index documents_one_invoice on documents (sale_id) where kind = 'invoice';
create index documents_corrected on documents (corrects) where corrects is not null;
create index documents_of_sale on documents (sale_id);
create index documents_of_institute on documents (institute_id, issued_at);

create table document_lines (
  id uuid primary key default uuidv7(),
  document_id uuid not null,
  institute_id uuid not null references institutes on delete cascade,
  position smallint not null check (position >= 0),
  kind text not null check (kind in ('service', 'product', 'discount')),
  -- As it was called then: { en, fr, ar }, or one text for all.
  name jsonb not null,
  service_id uuid references services,
  product_id uuid references products,
  member_id uuid references team_members,
  member_name text,
  quantity smallint not null check (quantity > 0),
  -- With VAT, for all of the quantity; rounded once, here.
  amount integer not null,
  vat_basis_points integer not null check (vat_basis_points between 0 and 5000),
  vat integer not null,
  -- The line of the invoice that a credit note takes back.
  corrects uuid references document_lines,
  unique (document_id, position),
  foreign key (document_id, institute_id) references documents (id, institute_id)
);
create index document_lines_of_service on document_lines (service_id) where service_id is not null;
create index document_lines_of_member on document_lines (member_id) where member_id is not null;
create index document_lines_corrected on document_lines (corrects) where corrects is not null;

-- Money that came, or went back.
create table payments (
  id uuid primary key default uuidv7(),
  institute_id uuid not null references institutes on delete cascade,
  sale_id uuid not null,
  kind text not null check (kind in ('deposit', 'payment', 'refund')),
  method text not null check (method in ('card', 'paypal', 'klarna', 'cash', 'terminal')),
  amount integer not null check (amount > 0),
  currency text not null check (length(currency) = 3),
  at timestamptz not null,
  day date not null,
  actor jsonb not null,
  -- The credit note a refund belongs to.
  document_id uuid references documents,
  checkout_id uuid references checkouts,
  -- How whoever took the money calls the payment.
  reference text,
  foreign key (sale_id, institute_id) references sales (id, institute_id)
);
create index payments_of_sale on payments (sale_id);
create index payments_of_institute on payments (institute_id, at);
create index payments_of_document on payments (document_id) where document_id is not null;
create index payments_of_day on payments (institute_id, day);

-- What of the money was for whom of the team, apart from what was sold.
create table tips (
  id uuid primary key default uuidv7(),
  institute_id uuid not null references institutes on delete cascade,
  sale_id uuid not null,
  member_id uuid not null references team_members,
  amount integer not null check (amount > 0),
  day date not null,
  foreign key (sale_id, institute_id) references sales (id, institute_id)
);
create index tips_of_sale on tips (sale_id);
create index tips_of_member on tips (member_id);
create index tips_of_day on tips (institute_id, day);

-- Double entry: the lines of one entry add up to nothing. What an institute has is above zero, what it owes and earns below.
create table ledger_lines (
  id bigint generated always as identity primary key,
  institute_id uuid not null references institutes on delete cascade,
  entry uuid not null,
  sale_id uuid not null,
  at timestamptz not null,
  account text not null check (account in ('cash', 'terminal', 'online', 'prepayments', 'revenue', 'vat', 'tips')),
  amount bigint not null check (amount <> 0),
  currency text not null check (length(currency) = 3),
  foreign key (sale_id, institute_id) references sales (id, institute_id)
);
create index ledger_lines_of_entry on ledger_lines (entry);
create index ledger_lines_of_sale on ledger_lines (sale_id);
create index ledger_lines_of_institute on ledger_lines (institute_id, account);

create function ledger_adds_up() returns trigger language plpgsql as $$
begin
  if exists (select from ledger_lines l where l.entry in (select a.entry from added a) group by l.entry, l.currency having sum(l.amount) <> 0) then
    raise exception 'an entry of the ledger does not add up to nothing' using errcode = 'check_violation', constraint = 'ledger_adds_up';
  end if;
  return null;
end $$;
create trigger ledger_adds_up after insert on ledger_lines referencing new table as added for each statement execute function ledger_adds_up();

create function document_adds_up() returns trigger language plpgsql as $$
begin
  if exists (select from documents d
      join (select l.document_id, sum(l.amount) as total, sum(l.vat) as vat from document_lines l where l.document_id in (select a.document_id from added a) group by 1) s
        on s.document_id = d.id where s.total <> d.total or s.vat <> d.vat) then
    raise exception 'the lines of a document are not its total' using errcode = 'check_violation', constraint = 'document_adds_up';
  end if;
  return null;
end $$;
create trigger document_adds_up after insert on document_lines referencing new table as added for each statement execute function document_adds_up();

-- What was in the till at the end of a day. Afterwards nothing is taken on that day, nor given back.
create table till_closings (
  id uuid primary key default uuidv7(),
  institute_id uuid not null references institutes on delete cascade,
  day date not null,
  currency text not null check (length(currency) = 3),
  -- Cash that was there in the morning, what was taken less what was given back, and what was counted.
  float_amount integer not null check (float_amount >= 0),
  cash_amount integer not null,
  counted_amount integer not null check (counted_amount >= 0),
  terminal_amount integer not null,
  tips_amount integer not null check (tips_amount >= 0),
  reason text check (length(reason) between 1 and 300),
  closed_at timestamptz not null,
  actor jsonb not null,
  unique (institute_id, day),
  check (counted_amount = float_amount + cash_amount or reason is not null)
);

create function till_is_open() returns trigger language plpgsql as $$
begin
  if new.method in ('cash', 'terminal') and exists (select from till_closings t where t.institute_id = new.institute_id and t.day = new.day) then
    raise exception 'the till of % is closed', new.day using errcode = 'check_violation', constraint = 'till_is_open';
  end if;
  return new;
end $$;
create trigger till_is_open before insert on payments for each row execute function till_is_open();

-- Taking money at the counter, and giving it back, are permissions too.
alter table program_keys drop constraint program_keys_permissions_check;
alter table program_keys add constraint program_keys_permissions_check check (cardinality(permissions) > 0
  and permissions <@ array['diary.own','diary.read','diary.change','diary.overbook','customers.read','customers.change','customers.health','customers.export','messages.answer','sales.read','sales.take','sales.refund','services.change','team.change','reviews.answer','institute.change','institute.export','people.change']) not valid;
