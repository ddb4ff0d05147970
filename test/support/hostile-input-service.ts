/**
 * A service for hostile inputs. After each test, checks that no failure was reported, the log is valid JSON lines, `Object.prototype` is
 * unchanged, and a request succeeds.
 */
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { systemStopwatch } from '../../src/system/clock.js';
import { createServiceLog } from '../../src/telemetry/service-log.js';
import { ingest } from './call.js';
import { type StartedService, startService } from './start-service.js';

export interface HostileInputService {
  readonly started: StartedService;
  /** The access token of a person with a long claim. */
  readonly token: string;
}

/** An input on which a backtracking engine takes exponential time for a pattern such as `(a+)+$`. */
const LONG_NAME = `${'a'.repeat(4_000)}!`;

/** Starts a service for the tests of a file, with checks after each. Returns a function that returns the service during tests. */
export function useHostileInputService(): () => HostileInputService {
  const written: string[] = [];
  let running: HostileInputService | undefined;
  const service = () => {
    if (running === undefined) throw new Error('the service must be used during tests only');
    return running;
  };
  beforeAll(async () => {
    const log = createServiceLog('trace', { write: (line) => written.push(line) });
    const started = await startService({
      // Work is charged by real time, but the clock of the limit does not advance: on a busy machine, the default would be exceeded.
      settings: { rateLimitPerMinute: 1_000_000 },
      listener: { stopwatch: systemStopwatch, onResponse: log.request },
    });
    const token = await started.token('ada', 'kyc:read', 'identity:read', 'identity:legal_name', 'data.read');
    running = { started, token };
    const claims = { 'identity.legal_name': LONG_NAME };
    const ingested = await ingest(started, 'ada', { id: 'long', issuedAt: '2026-01-01T00:00:00Z', claims });
    expect(ingested.status).toBe(200);
  });
  afterAll(() => service().started.stop());
  afterEach(async () => {
    const { started } = service();
    expect(started.failures).toEqual([]);
    for (const line of written.splice(0)) {
      expect(line.indexOf('\n')).toBe(line.length - 1);
      expect(() => JSON.parse(line)).not.toThrow();
    }
    expect([Object.keys(Object.prototype), 'polluted' in {}]).toEqual([[], false]);
    expect((await fetch(`${started.url}/health`)).status).toBe(200);
  });
  return service;
}
