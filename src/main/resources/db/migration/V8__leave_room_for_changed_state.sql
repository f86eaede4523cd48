-- Of pages that are written from now on, so it takes no time. docs/adr/0016-the-log-is-compressed.md has the figures.

-- The new version of a value fits beside the old one, and no index gets an entry for it.
alter table state set (fillfactor = 80);
