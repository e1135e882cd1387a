-- expand
-- What is known of files: their bytes are kept by key, outside of the database.

create table files (
  id uuid primary key default uuidv7(),
  key text not null unique check (key ~ '^[a-z]+/[0-9a-f]{32}\.[a-z0-9]+$'),
  -- whose it is; of nobody: its owner is gone, and so is the file soon
  user_id uuid references users on delete set null,
  institute_id uuid references institutes on delete set null,
  purpose text not null check (purpose ~ '^[a-z_]{3,40}$'),
  kind text not null check (kind in ('image', 'document')),
  media_type text not null,
  -- what its sender calls it
  name text check (length(name) between 1 and 120),
  bytes integer check (bytes >= 0),
  width integer check (width > 0),
  height integer check (height > 0),
  private boolean not null,
  -- [{ size, width, height, bytes }], smaller ones; null until they are made
  variants jsonb check (jsonb_typeof(variants) = 'array'),
  -- arriving: nothing names it yet; used; dropped: nothing names it any more, its bytes are removed next
  state text not null default 'arriving' check (state in ('arriving', 'used', 'dropped')),
  created_at timestamptz not null default now(),
  check (num_nonnulls(user_id, institute_id) <= 1),
  check ((kind = 'image') = (width is not null and height is not null)),
  check (kind = 'image' or variants is not null)
);
create index files_of_user on files (user_id) where user_id is not null;
create index files_of_institute on files (institute_id) where institute_id is not null;
create index files_to_remove on files (created_at) where state <> 'used' or (user_id is null and institute_id is null);
create index files_without_variants on files (id) where variants is null;
