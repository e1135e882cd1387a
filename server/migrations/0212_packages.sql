-- expand
-- Packages of sessions: paid for at once by a client who is known, used visit by visit. What is sold and at which rate is known when one is sold, so VAT
-- is due then; the rest is earned with each session.

-- What can be sold.
create table packages (
  id uuid primary key default uuidv7(),
  institute_id uuid not null references institutes on delete cascade,
  name text not null check (length(name) between 1 and 80),
  -- A session is one of these services.
  service_ids uuid[] not null check (cardinality(service_ids) between 1 and 40),
  sessions smallint not null check (sessions between 2 and 100),
  price_amount integer not null check (price_amount between 1 and 100000000),
  -- How long one is good for.
  months smallint not null check (months between 1 and 60),
  archived_at timestamptz,
  created_at timestamptz not null,
  unique (id, institute_id)
);
create index packages_of_institute on packages (institute_id);

-- What was sold, as it was then; whose it is says its sale.
create table client_packages (
  id uuid primary key default uuidv7(),
  institute_id uuid not null references institutes on delete cascade,
  package_id uuid not null,
  sale_id uuid not null,
  line_id uuid not null unique references document_lines,
  name text not null,
  service_ids uuid[] not null,
  currency text not null check (length(currency) = 3),
  -- Its last day.
  valid_until date not null,
  sold_at timestamptz not null,
  unique (id, institute_id),
  foreign key (package_id, institute_id) references packages (id, institute_id),
  foreign key (sale_id, institute_id) references sales (id, institute_id)
);
create index client_packages_of_package on client_packages (package_id);
create index client_packages_of_sale on client_packages (sale_id);
create index client_packages_by_last_day on client_packages (valid_until);

-- Sessions that came into a package and went from it, with their part of its price and of the VAT; what is left is their sum.
create table client_package_moves (
  id uuid primary key default uuidv7(),
  institute_id uuid not null references institutes on delete cascade,
  client_package_id uuid not null,
  kind text not null check (kind in ('sold', 'used', 'undone', 'given_back', 'expired')),
  sessions smallint not null check (sessions <> 0 and (sessions > 0) = (kind in ('sold', 'undone'))),
  amount integer not null check (amount = 0 or (amount > 0) = (sessions > 0)),
  vat integer not null check (vat = 0 or (vat > 0) = (sessions > 0)),
  -- What sold it, used it or took it back.
  sale_id uuid not null,
  -- Of the invoice, which used a session; of one that is undone the same.
  line_id uuid references document_lines,
  at timestamptz not null,
  check ((line_id is not null) = (kind in ('used', 'undone'))),
  foreign key (client_package_id, institute_id) references client_packages (id, institute_id),
  foreign key (sale_id, institute_id) references sales (id, institute_id)
);
create unique index client_package_moves_one_sold on client_package_moves (client_package_id) where kind = 'sold';
create unique index client_package_moves_used_once on client_package_moves (line_id, kind) where line_id is not null;
create index client_package_moves_of_package on client_package_moves (client_package_id);
create index client_package_moves_of_sale on client_package_moves (sale_id);
create index client_package_moves_of_institute on client_package_moves (institute_id);

-- One after the other for each package: whoever comes second sees what the first left.
create function client_package_holds() returns trigger language plpgsql as $$
declare
  v_sessions bigint;
  v_amount bigint;
  v_vat bigint;
begin
  perform from client_packages p where p.id = new.client_package_id for update;
  select coalesce(sum(m.sessions), 0) + new.sessions, coalesce(sum(m.amount), 0) + new.amount, coalesce(sum(m.vat), 0) + new.vat
    into v_sessions, v_amount, v_vat from client_package_moves m where m.client_package_id = new.client_package_id;
  if v_sessions < 0 or v_amount < 0 or v_vat < 0 or v_sessions = 0 and (v_amount > 0 or v_vat > 0) then
    raise exception 'a package holds other sessions than that' using errcode = 'check_violation', constraint = 'client_package_holds';
  end if;
  return new;
end $$;
create trigger client_package_holds before insert on client_package_moves for each row execute function client_package_holds();
