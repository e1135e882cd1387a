-- Institutes taken from open data: what each source said, under which licence, and whether it still says so.
create table listings (
  id uuid primary key default uuidv7(),
  institute_id uuid not null references institutes on delete cascade,
  source text not null check (source in ('osm', 'overture', 'sirene', 'paris')),
  source_id text not null check (length(source_id) between 1 and 200),
  -- the file it came from, without its date: what vanishes from the next file of the area is gone
  area text not null check (length(area) between 1 and 200),
  attribution text not null,
  attribution_url text not null check (attribution_url like 'https://%'),
  licence text not null,
  licence_url text not null check (licence_url like 'https://%'),
  -- of the record as it was read; the same record read by the same rules is left alone
  digest bytea not null check (length(digest) = 32),
  -- how the source counts its own edits, where it does
  source_version integer,
  source_edited_at timestamptz,
  -- name, address, hours … as this source has them; never an email
  facts jsonb not null,
  -- a square of the map about 200 m wide: what may be the same place is in it or beside it
  cell bigint not null,
  taken_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  seen_in uuid not null,
  gone_at timestamptz,
  unique (source, source_id)
);
create index listings_of_institute on listings (institute_id);
create index listings_of_cell on listings (cell);
create index listings_of_area on listings (source, area) where gone_at is null;

-- The newest file read of each area, so that an older one does not undo it.
create table listing_areas (
  source text not null,
  area text not null,
  snapshot date not null,
  imported_at timestamptz not null default now(),
  primary key (source, area)
);
