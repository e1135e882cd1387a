-- expand
-- Whether something can be written and kept: each process writes its row before it says that it is ready.
create table readiness (
  process text primary key,
  at timestamptz not null
);
