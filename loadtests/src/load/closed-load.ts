import autocannon from 'autocannon';

/** What a closed load saw: so many connections, each sending its next request when the last was answered. */
export interface ClosedLoad {
  readonly requests: number;
  readonly failures: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Posts one body over and over for `seconds`, on `connections` connections, by autocannon. */
export async function closedLoad(url: string, body: string, connections: number, seconds: number): Promise<ClosedLoad> {
  const result = await autocannon({
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    connections,
    duration: seconds,
    timeout: 120,
  });
  return {
    requests: result.requests.total,
    failures: result.non2xx + result.errors + result.timeouts,
    requestsPerSecond: result.requests.average,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
  };
}
