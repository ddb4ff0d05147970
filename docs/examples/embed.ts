/** Embeds the service in a program: its ports, and a server. own-store.ts and own-user-directory.ts use it. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { re2js } from 'proviso';
import { createRequestIds, createServer, requestListener } from 'proviso-server/http';
import {
  createSettings,
  type Environment,
  prepareService,
  type Service,
  type ServiceOptions,
  type Store,
} from 'proviso-server/service';
import { systemPorts, systemRandom } from 'proviso-server/system';

/** Options of an embedded service. */
export interface Embedding {
  readonly store: Store;
  /** `SANDBOX` or `PRODUCTION`. */
  readonly environment: Environment;
  readonly options?: ServiceOptions;
}

/** A running service. */
export interface Embedded {
  /** Its base URL. */
  readonly url: string;
  readonly service: Service;
  stop(): Promise<void>;
}

/** Starts a service on a loopback address. A public service needs an `https` URL as issuer, and a proxy that terminates TLS. */
export async function embed(
  { store, environment, options = {} }: Embedding,
  port: number,
): Promise<Embedded> {
  const build = await prepareService({ ...systemPorts, store, regex: re2js }, environment, options);
  const listening = {
    createRequestId: createRequestIds(systemRandom),
    // Error messages may contain caller input: log the kind of error, and the request id that the caller received.
    onFailure: (error: unknown, requestId: string) => console.error(requestId, (error as Error).name),
  };
  const server = createServer(listening);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2`;
  const service = build(createSettings(url));
  server.on('request', requestListener(service, listening));
  return {
    url,
    service,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      await store.close();
    },
  };
}
