-- Appends to a random one of the sessions s1 to s<sessions> of an app, of <users> users.
-- Arguments: app, users, sessions, and if wanted the mean time in ms that a client waits before each append.
require("report")

local text = "Hello there, this is the answer of the agent, of an ordinary length."
local body = '{"author":"agent","invocationId":"inv-%d","content":{"role":"model","parts":[{"text":"' .. text
  .. '"}]},"actions":{"stateDelta":{"step":%d}}}'
local headers = { ["Content-Type"] = "application/json" }
local path, users, sessions

function init(args)
  path = "/apps/" .. args[1] .. "/users/u%d/sessions/s%d/events"
  users, sessions = tonumber(args[2]), tonumber(args[3])
  math.randomseed(os.time())
  if args[4] then
    local mean = tonumber(args[4])
    -- Independent clients: times between their requests are distributed exponentially
    function delay()
      return math.floor(-mean * math.log(1 - math.random()) + 0.5)
    end
  end
end

function request()
  local s = math.random(sessions)
  if leased then
    headers["Lease"] = s
  end
  return wrk.format("POST", path:format(s % users, s), headers, body:format(s, math.random(1000000)))
end
