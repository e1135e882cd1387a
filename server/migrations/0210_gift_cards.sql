-- expand
-- Gift cards: paid for when they are sold, used in parts, and never twice. Nothing is earned with one before it is used or its last day is over.

-- How many years they are good for that are sold from now on.
alter table institutes add column gift_card_years smallint not null default 5 check (gift_card_years between 1 and 10);

create table gift_cards (
  id uuid primary key default uuidv7(),
  institute_id uuid not null references institutes on delete cascade,
  -- What sold it: the sale, whose client bought it, and the line of its invoice.
  sale_id uuid not null,
  line_id uuid not null unique references document_lines,
  -- As it is read, without the spaces between.
  code text not null check (code ~ '^[02-9A-HJKMNP-TV-Z]{16}$'),
  currency text not null check (length(currency) = 3),
  -- Its last day.
  valid_until date not null,
  sold_at timestamptz not null,
  unique (id, institute_id),
  unique (institute_id, code),
  foreign key (sale_id, institute_id) references sales (id, institute_id)
);
create index gift_cards_of_sale on gift_cards (sale_id);
create index gift_cards_by_last_day on gift_cards (valid_until);

-- What came onto a card and went from it; what is left is their sum.
create table gift_card_moves (
  id uuid primary key default uuidv7(),
  institute_id uuid not null references institutes on delete cascade,
  gift_card_id uuid not null,
  kind text not null check (kind in ('sold', 'used', 'returned', 'taken_back', 'expired')),
  amount integer not null check (amount <> 0 and (amount > 0) = (kind in ('sold', 'returned'))),
  -- What sold it, was paid with it or took it back.
  sale_id uuid not null,
  at timestamptz not null,
  foreign key (gift_card_id, institute_id) references gift_cards (id, institute_id),
  foreign key (sale_id, institute_id) references sales (id, institute_id)
);
create unique index gift_card_moves_one_sold on gift_card_moves (gift_card_id) where kind = 'sold';
create index gift_card_moves_of_card on gift_card_moves (gift_card_id);
create index gift_card_moves_of_sale on gift_card_moves (sale_id);
create index gift_card_moves_of_institute on gift_card_moves (institute_id);

-- One after the other for each card: whoever comes second sees what the first left.
create function gift_card_holds() returns trigger language plpgsql as $$
begin
  perform from gift_cards g where g.id = new.gift_card_id for update;
  if new.amount + coalesce((select sum(m.amount) from gift_card_moves m where m.gift_card_id = new.gift_card_id), 0) < 0 then
    raise exception 'a gift card holds less than that' using errcode = 'check_violation', constraint = 'gift_card_holds';
  end if;
  return new;
end $$;
create trigger gift_card_holds before insert on gift_card_moves for each row execute function gift_card_holds();

alter table payments drop constraint payments_method_check;
alter table payments add constraint payments_method_check check (method in ('card', 'paypal', 'klarna', 'cash', 'terminal', 'gift_card')) not valid;
alter table document_lines drop constraint document_lines_kind_check;
alter table document_lines add constraint document_lines_kind_check check (kind in ('service', 'product', 'discount', 'gift_card', 'package')) not valid;
alter table ledger_lines drop constraint ledger_lines_account_check;
alter table ledger_lines add constraint ledger_lines_account_check
  check (account in ('cash', 'terminal', 'online', 'prepayments', 'revenue', 'vat', 'tips', 'kept', 'gift_cards', 'packages', 'expired')) not valid;
