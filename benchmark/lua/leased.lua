-- Appends as append.lua does, each under the lease of its session, whose number is that of the session (fixtures.leases).
require("append")

leased = true
