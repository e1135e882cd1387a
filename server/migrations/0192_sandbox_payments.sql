-- expand
-- The sandbox: the built-in provider of payments for trials. It knows no institute and no client: only what it was asked to take.
create table sandbox_pages (
  id uuid primary key default uuidv7(),
  -- The same key is the same page.
  key text not null unique check (length(key) between 1 and 200),
  checkout_id text not null,
  amount integer not null check (amount > 0),
  currency text not null check (length(currency) = 3),
  method text not null check (method in ('card', 'paypal', 'klarna')),
  description text not null,
  locale text not null check (locale in ('en', 'fr', 'ar')),
  return_url text not null,
  -- After that it takes nothing.
  until timestamptz not null,
  state text not null default 'open' check (state in ('open', 'paid', 'failed', 'cancelled', 'expired')),
  -- How the payment is called, once there is one.
  reference text unique,
  created_at timestamptz not null,
  check ((state = 'paid') = (reference is not null))
);
create index sandbox_pages_open on sandbox_pages (until) where state = 'open';

create table sandbox_refunds (
  id uuid primary key default uuidv7(),
  key text not null unique check (length(key) between 1 and 200),
  page_id uuid not null references sandbox_pages,
  refund_id text not null,
  amount integer not null check (amount > 0),
  state text not null check (state in ('done', 'waiting')),
  created_at timestamptz not null
);
create index sandbox_refunds_of_page on sandbox_refunds (page_id);

-- What has happened and is told to the product: twice, and again while it does not listen.
create table sandbox_words (
  id uuid primary key default uuidv7(),
  happened_at timestamptz not null,
  body json not null,
  -- When it is told next; null once it was told often enough, or given up.
  due_at timestamptz,
  told smallint not null default 0,
  failed smallint not null default 0
);
create index sandbox_words_due on sandbox_words (due_at) where due_at is not null;
