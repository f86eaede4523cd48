-- Whole lives of sessions: again and again a session is created, events are appended to random ones, and the oldest one is
-- read and deleted. Each thread has one connection, and sessions of its own: every so many-th one, the first and the last
-- of which are named. Every append says what it knows of its session, so that one that is lost would be noticed by the next.
-- Arguments: app, users, mean time in ms before each request (0 for none), and <first>:<last> of each thread.
require("report")

local CREATE, APPENDS, READ, DELETE = 0, 20, 21, 22

local body = '{"author":"agent","invocationId":"inv-%d","content":{"role":"model","parts":[{"text":'
  .. '"Hello there, this is the answer of the agent, of an ordinary length."}]},"actions":{"stateDelta":{"step":%d}}}'
local headers = { ["Content-Type"] = "application/json" }
local threads, tags = {}, {}
local collection, users, apart, first, last, session, oldest
local step = CREATE

-- What the first thread is asked when all have ended: how many events more there are for what was answered, and for what
-- was not; how many fewer for a deletion that was not
grown, adding, removing = 0, 0, 0

function setup(thread)
  table.insert(threads, thread)
  thread:set("number", #threads)
end

function init(args)
  collection, users, apart = "/apps/" .. args[1] .. "/users/u%d/sessions", tonumber(args[2]), #args - 3
  local mean = tonumber(args[3])
  first, last = args[3 + number]:match("(%d+):(%d+)")
  first, last = tonumber(first), tonumber(last)
  math.randomseed(os.time() + number)
  if mean > 0 then
    function delay()
      return math.floor(-mean * math.log(1 - math.random()) + 0.5)
    end
  end
end

local function path(s)
  return collection:format(s % users) .. "/s" .. s
end

-- The first one is made twice, and sent once
function request()
  adding, removing = 0, 0
  if step == CREATE then
    headers["If-Match"] = nil
    return wrk.format("POST", path(last + apart), headers, "{}")
  elseif step <= APPENDS then
    adding = 1
    session = first + apart * math.random(0, (last - first) / apart)
    headers["If-Match"] = tags[session]
    return wrk.format("POST", path(session) .. "/events", headers, body:format(session, math.random(1000000)))
  elseif step == READ then
    return wrk.format("GET", path(first) .. "?numRecentEvents=0")
  end
  removing = oldest
  return wrk.format("DELETE", path(first))
end

function response(status, received)
  if step == CREATE then
    last = last + apart
    tags[last] = received["ETag"]
  elseif step <= APPENDS then
    grown = grown + 1
    tags[session] = received["ETag"]
  elseif step == READ then
    oldest = tonumber(received["ETag"]:match("%d+"))
  else
    grown = grown - oldest
    tags[first] = nil
    first = first + apart
  end
  adding, removing = 0, 0
  step = (step + 1) % (DELETE + 1)
end

local function sum(name)
  local total = 0
  for _, thread in ipairs(threads) do
    total = total + thread:get(name)
  end
  return total
end

function members()
  return (',"grown":%d,"adding":%d,"removing":%d'):format(sum("grown"), sum("adding"), sum("removing"))
end
