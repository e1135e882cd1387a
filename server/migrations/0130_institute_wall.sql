-- expand
-- The institute whose people a connection acts for: what the wall of each table compares with. Null, and so nobody's rows, where none is named.
create function institute_of_wall() returns uuid language sql stable parallel safe as $$
  select nullif(current_setting('soigne.institute', true), '')::uuid
$$;
