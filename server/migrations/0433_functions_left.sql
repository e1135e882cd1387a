-- contract after 0430
-- What releases before booked and wrote messages with: hold_planned_visits (0429), holds_to_confirm (0430), write_message and write_as_clients took their places.
drop function if exists hold_visits(uuid, bigint, jsonb, jsonb, timestamptz);
drop function if exists hold_to_confirm(uuid, uuid, text, bytea, timestamptz, boolean, boolean);
drop function if exists write_as_client(uuid, uuid, text, text, jsonb, timestamptz);
drop function if exists send_message(uuid, text, uuid, text, text, uuid, text, uuid, jsonb, timestamptz);
drop function if exists send_message(uuid, text, uuid, text, text, uuid, text, uuid, jsonb, jsonb, timestamptz);
