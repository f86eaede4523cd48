-- Appends batches of 100 events to a random one of the sessions s1 to s<sessions> of an app. Arguments as in append.lua.
require("report")

local event = '{"author":"agent","invocationId":"inv-1","content":{"role":"model","parts":[{"text":'
  .. '"Hello there, this is the answer of the agent, of an ordinary length."}]},"actions":{"stateDelta":{"step":%d}}}'
local headers = { ["Content-Type"] = "application/json" }
local path, users, sessions, body

function init(args)
  path = "/apps/" .. args[1] .. "/users/u%d/sessions/s%d/events:batch"
  users, sessions = tonumber(args[2]), tonumber(args[3])
  math.randomseed(os.time())
  local events = {}
  for step = 1, 100 do
    events[step] = event:format(step)
  end
  body = '{"events":[' .. table.concat(events, ",") .. "]}"
end

function request()
  local s = math.random(sessions)
  return wrk.format("POST", path:format(s % users, s), headers, body)
end
