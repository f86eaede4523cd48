-- Until a cookie of the console ends by itself, the service has to know that it was signed out.
create table signed_out_cookies (
    credentials bytea not null,
    cookie      bytea not null,
    end_time    timestamptz not null,
    constraint signed_out_cookies_pkey primary key (credentials, cookie)
);

create index signed_out_cookies_end_time on signed_out_cookies (end_time);

comment on table signed_out_cookies is 'cookies of the console that are not accepted any more although they have not ended; at most 1000 of the same credentials';
comment on column signed_out_cookies.credentials is 'SHA-256 of the key or token in the cookie';
comment on column signed_out_cookies.cookie is 'SHA-256 of the cookie';
comment on column signed_out_cookies.end_time is 'when the cookie ends by itself; the row is deleted an hour later at the earliest';
