-- A deletion beside a save could leave versions without their name, or a name whose next number was taken.

insert into artifacts as artifact (user_key, scope_key, name, next_version)
select user_key, scope_key, name, max(version) + 1 from artifact_versions
group by user_key, scope_key, name
on conflict (user_key, scope_key, name) do update set next_version = excluded.next_version
where artifact.next_version < excluded.next_version;
