-- expand
-- Connecting an institute's account at the provider of payments is a permission too.
alter table program_keys drop constraint program_keys_permissions_check;
alter table program_keys add constraint program_keys_permissions_check check (cardinality(permissions) > 0
  and permissions <@ array['diary.own','diary.read','diary.change','diary.overbook','customers.read','customers.change','customers.health','customers.export','messages.answer','sales.read','sales.take','sales.refund','services.change','team.change','reviews.answer','institute.change','payments.connect','institute.export','people.change']) not valid;
