-- A deletion beside a save could leave versions without their name, or a name whose next number was taken. Locks no other
-- names.

insert into artifacts as artifact (user_key, scope_key, name, next_version)
select user_key, scope_key, name, next_version
from (
    select user_key, scope_key, name, max(version) + 1 as next_version from artifact_versions
    group by user_key, scope_key, name) as needed
where not exists (
    select from artifacts as known
    where known.user_key = needed.user_key and known.scope_key = needed.scope_key and known.name = needed.name
      and known.next_version >= needed.next_version)
on conflict (user_key, scope_key, name) do update
    set next_version = greatest(artifact.next_version, excluded.next_version);
