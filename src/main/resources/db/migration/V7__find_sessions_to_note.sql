-- A migration of its own: sessions are read while it builds the index. Where the columns are added, nobody can.

-- Empty but for sessions to which an older version has appended.
create index sessions_to_note on sessions (session_key) where noted_seq < revision;
