-- Which events report an error. The bit is exact for events that are stored from now on. Older events do not have it.

-- Of events from before there was a kind, every bit is set if they rewind or compact, and this one may be wrong.
update events set kind = kind & ~64 where kind & 12 <> 0 and kind = 4095;

-- Appends of other events do not pay for it.
create index events_with_errors on events (session_key, seq) where kind & 64 <> 0;

comment on column events.kind is 'what the event may mean, as bits: 1 changes state of the session, 2 changes shared state, '
    '4 rewinds, 8 compacts, 16 calls something that waits, 32 answers, 64 reports an error, 128 calls functions, '
    '256 is named after a call, 512 is left out of summaries. Null if it was stored before there was a kind: then its '
    'body tells, and it neither rewinds nor compacts';
