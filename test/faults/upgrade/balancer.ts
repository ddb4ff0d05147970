/** Instances of several versions behind a load balancer: each receives requests in turn, from when it listens until it reports that it is not ready. */
import { ServiceStartError, startWatched, type WatchedService } from '../../support/watched-service.js';
import { openRequests, type Requests } from '../soak/requests.js';

/** A built version. */
export interface Version {
  readonly name: string;
  /** The path of its command. */
  readonly command: string;
}

interface Instance {
  readonly version: Version;
  readonly service: WatchedService;
  readonly requests: Requests;
}

export interface Balancer {
  /** Sends requests to the instances in turn. */
  readonly requests: Requests;
  /** Returns the base URL of the next instance in turn. */
  nextUrl(): string;
  /** Counts the instances of each version, such as `2 previous, 1 next`. */
  describe(): string;
  /**
   * Starts an instance, and sends requests to it once it listens. One that does not listen in time is killed and started again.
   *
   * @throws {ServiceStartError}
   */
  add(version: Version): Promise<void>;
  /** Drains the oldest instance: sends it requests until it reports that it is not ready. Returns a fault, if any. */
  removeOldest(): Promise<string | undefined>;
  /** Describes instances that ended by themselves. */
  ended(): readonly string[];
  stop(): Promise<void>;
}

/** Interval of readiness checks. */
const READY_INTERVAL_MS = 100;
const MAX_STARTS = 3;

/** @param env - Settings of every instance. */
export function createBalancer(cwd: string, env: Readonly<Record<string, string>>): Balancer {
  const instances: Instance[] = [];
  const draining = new Set<Instance>();
  let turn = 0;
  const next = (): Instance => {
    turn += 1;
    const instance = instances[turn % instances.length];
    if (instance === undefined) throw new Error('no instance is ready');
    return instance;
  };
  return {
    requests: {
      send: (request) => next().requests.send(request),
      close: () => instances.forEach(({ requests }) => void requests.close()),
    },
    nextUrl: () => baseUrlOf(next()),
    describe: () => {
      const names = instances.map(({ version }) => version.name);
      return [...new Set(names)]
        .map((name) => `${names.filter((one) => one === name).length} ${name}`)
        .join(', ');
    },
    add: async (version) => {
      const service = await startInTime(() => startWatched(cwd, env, undefined, version.command));
      instances.push({ version, service, requests: openRequests(service.port) });
    },
    removeOldest: async () => {
      const [oldest] = instances;
      if (oldest === undefined) throw new Error('there is no instance to remove');
      draining.add(oldest);
      const ended = oldest.service.stop('SIGTERM');
      while (await isReady(baseUrlOf(oldest)))
        await new Promise((resolve) => setTimeout(resolve, READY_INTERVAL_MS));
      instances.splice(instances.indexOf(oldest), 1);
      const outcome = await ended;
      oldest.requests.close();
      draining.delete(oldest);
      return outcome === 0
        ? undefined
        : `an instance of ${oldest.version.name} exited with ${outcome}: ${oldest.service.stderr().slice(-400)}`;
    },
    ended: () =>
      instances
        .filter((instance) => !draining.has(instance))
        .flatMap(({ version, service }) => {
          const ended = service.ended();
          return ended === undefined ? [] : [`${version.name} ${ended}: ${service.stderr().slice(-400)}`];
        }),
    stop: async () => {
      await Promise.all([...instances, ...draining].map(({ service }) => service.stop('SIGKILL')));
    },
  };
}

/** Tries again after a start that took too long: the machine may be busy. */
async function startInTime(start: () => Promise<WatchedService>): Promise<WatchedService> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start();
    } catch (error) {
      const tookTooLong = error instanceof ServiceStartError && error.outcome === 'timeout';
      if (!tookTooLong || attempt === MAX_STARTS) throw error;
      process.stdout.write(`        an instance did not listen in time, and is started again\n`);
    }
  }
}

function baseUrlOf({ service }: Instance): string {
  return `http://127.0.0.1:${service.port}/v2`;
}

async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/ready`);
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
