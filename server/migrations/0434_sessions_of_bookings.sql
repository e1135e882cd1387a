-- expand
-- What is held and confirmed together proves the sessions it is asked with, which the server remembers from a request before.
-- Of questions by number: those with a session that is open no more, or whose user has no confirmed email.
create function asked_with_closed_session(p_numbers integer[], p_sessions uuid[], p_now timestamptz) returns integer[]
  language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
begin
  if p_numbers = '{}' then return '{}'; end if;
  return array(select distinct q.n from unnest(p_numbers, p_sessions) as q(n, id)
    where (select count(*) from sessions s join users u on u.id = s.user_id where s.id = q.id and s.expires_at > p_now and u.email_verified_at is not null) = 0);
end $$;

-- The same questions without some, by their `n`.
create function asked_without(p_asked jsonb, p_numbers integer[]) returns jsonb
  language plpgsql immutable as $$
begin
  if p_numbers = '{}' then return p_asked; end if;
  return coalesce((select jsonb_agg(q) from jsonb_array_elements(p_asked) q where not (q->>'n')::integer = any(p_numbers)), '[]');
end $$;
