-- contract after 0048
-- The ends of holds are in hold_ends: without an index on them a visit and its time are confirmed in place, and no index is written.
drop index if exists occupations_expiring;
drop index if exists appointments_holds;
drop index if exists appointments_expiring;
