-- Ends a run of wrk with one line of JSON. Times are in microseconds. A script may have more members for it.
done = function(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"microseconds":%d,"refused":%d,"broken":%d,"p50":%.1f,"p99":%.1f%s}\n',
    summary.requests, summary.duration, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50), latency:percentile(99), members and members() or ""))
end
