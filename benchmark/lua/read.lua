-- Reads a random one of the sessions s1 to s<sessions> of an app, with its newest 20 events.
-- Arguments: app, users, sessions.
require("report")

local path, users, sessions

function init(args)
  path = "/apps/" .. args[1] .. "/users/u%d/sessions/s%d?numRecentEvents=20"
  users, sessions = tonumber(args[2]), tonumber(args[3])
  math.randomseed(os.time())
end

function request()
  local s = math.random(sessions)
  return wrk.format("GET", path:format(s % users, s))
end
