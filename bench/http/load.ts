/** Sends one request repeatedly for a given time. Arguments: URL, token, seconds, and the body. Prints JSON. */
import autocannon from 'autocannon';

/** The result of a period of load. */
export interface Load {
  readonly requestsPerSecond: number;
  /** Milliseconds. */
  readonly latency: { readonly p50: number; readonly p99: number };
  /** Requests without a response, or with one that is not 2xx. */
  readonly failures: number;
}

const CONNECTIONS = 16;

const [url = '', token = '', seconds = '1', body = ''] = process.argv.slice(2);
const { requests, latency, non2xx, errors } = await autocannon({
  url,
  method: 'POST',
  headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  body,
  connections: CONNECTIONS,
  duration: Number(seconds),
});
const load: Load = {
  requestsPerSecond: requests.total / Number(seconds),
  latency: { p50: latency.p50, p99: latency.p99 },
  failures: non2xx + errors,
};
process.stdout.write(JSON.stringify(load));
