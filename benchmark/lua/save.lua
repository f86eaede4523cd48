-- Saves artifacts of 10 KB with different contents in a random one of the sessions s1 to s<sessions> of an app, of <users>
-- users; with "event" as the last argument, appends events of the same size.
-- Arguments: app, users, sessions, artifact or event.
require("report")

local text = ("x"):rep(9900)
local artifact = { ["Content-Type"] = "text/plain" }
local json = { ["Content-Type"] = "application/json" }
local event = '{"author":"agent","invocationId":"inv-1","content":{"role":"model","parts":[{"text":"%s%020d"}]}}'
local path, users, sessions, saves

function init(args)
  path = "/apps/" .. args[1] .. "/users/u%d/sessions/s%d/"
  users, sessions = tonumber(args[2]), tonumber(args[3])
  saves = args[4] == "artifact"
  math.randomseed(os.time())
end

function request()
  local s, number = math.random(sessions), math.random(2 ^ 53)
  local session = path:format(s % users, s)
  if saves then
    return wrk.format("PUT", session .. "artifacts/f" .. number % 20, artifact, ("%s%020d"):format(text, number))
  end
  return wrk.format("POST", session .. "events", json, event:format(text, number))
end
