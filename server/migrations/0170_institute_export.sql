-- expand
-- Taking everything of an institute away is a permission too.
alter table program_keys drop constraint program_keys_permissions_check;
alter table program_keys add constraint program_keys_permissions_check check (cardinality(permissions) > 0
  and permissions <@ array['diary.own','diary.read','diary.change','diary.overbook','customers.read','customers.change','customers.health','customers.export','messages.answer','sales.read','services.change','team.change','reviews.answer','institute.change','institute.export','people.change']) not valid;
