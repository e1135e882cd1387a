-- expand
-- What the bits of the index stand for is remembered with a diary as well. Where another release makes other classes, a change planned on the classes of
-- before may touch none of their bits and some of the new: so the version is raised for classes, as it is for days (0379).
create trigger other_classes_raise_version after update of classes on free_time
  for each row when (old.classes is distinct from new.classes) execute function raise_version_of_moved_cover();
