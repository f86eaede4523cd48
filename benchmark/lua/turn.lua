-- Turns of agents, each with a thread and a connection of its own: the newest 20 events of a session are read, and four are
-- appended, one after the other, each only if the session is as the agent knows it. Each agent has sessions of its own among
-- s1 to s<sessions>, and takes a random one of them for each turn.
-- Arguments: app, users, sessions, agents. Counts appends that were answered; times are those of whole turns.
require("report")

local ffi = require("ffi")
ffi.cdef("typedef struct { long s; long ns; } moment; int clock_gettime(int, moment *);")
local MONOTONIC, APPENDS = 1, 4

local body = '{"author":"agent","invocationId":"inv-%d","content":{"role":"model","parts":[{"text":'
  .. '"Hello there, this is the answer of the agent, of an ordinary length."}]},"actions":{"stateDelta":{"step":%d}}}'
local headers = { ["Content-Type"] = "application/json" }
local threads = {}
local now = ffi.new("moment")
local path, users, sessions, agents, session, began
local step = 0

-- What the first thread is asked when all have ended
appended, times = 0, ""

local function microseconds()
  ffi.C.clock_gettime(MONOTONIC, now)
  return tonumber(now.s) * 1e6 + tonumber(now.ns) / 1e3
end

function setup(thread)
  thread:set("agent", #threads)
  table.insert(threads, thread)
end

function init(args)
  path = "/apps/" .. args[1] .. "/users/u%d/sessions/s%d"
  users, sessions, agents = tonumber(args[2]), tonumber(args[3]), tonumber(args[4])
  math.randomseed(os.time() + agent)
end

-- The first one is made twice, and sent once
function request()
  if step == 0 then
    session = agent + 1 + agents * math.random(0, math.floor((sessions - agent - 1) / agents))
    began = microseconds()
    return wrk.format("GET", path:format(session % users, session) .. "?numRecentEvents=20")
  end
  return wrk.format("POST", path:format(session % users, session) .. "/events", headers,
    body:format(session, math.random(1000000)))
end

function response(status, received)
  headers["If-Match"] = received["ETag"]
  if step > 0 and status == 200 then
    appended = appended + 1
  end
  if step == APPENDS then
    times = times .. " " .. microseconds() - began
  end
  step = (step + 1) % (APPENDS + 1)
end

local report = done
function done(summary)
  local all = {}
  summary.requests = 0
  for _, thread in ipairs(threads) do
    summary.requests = summary.requests + thread:get("appended")
    for time in thread:get("times"):gmatch("%S+") do
      table.insert(all, tonumber(time))
    end
  end
  table.sort(all)
  report(summary, { percentile = function(_, share) return all[math.ceil(#all * share / 100)] or 0 end })
end
