-- expand
-- As for bookings in 0430: what is written for many at once was planned anew each time, which costs more than it saves where all of it is looked up by keys.
alter function write_as_clients(uuid[], uuid[], text[], text[], timestamptz[]) set plan_cache_mode = force_generic_plan;
alter function write_as_clients(uuid[], uuid[], text[], text[], timestamptz[]) set enable_seqscan = off;
alter function write_as_clients(uuid[], uuid[], text[], text[], timestamptz[]) set enable_hashjoin = off;
alter function write_as_clients(uuid[], uuid[], text[], text[], timestamptz[]) set enable_mergejoin = off;
