/** `proviso keys rotate`: new keys for ID tokens, with overlap (V10, S179). */
import { formatInstant } from '../../index.js';
import { rotateSigningKeys } from '../../service/index.js';
import { loadConfiguration } from '../configuration/load-configuration.js';
import { openService } from '../open-service.js';
import { printResult } from '../output.js';

/** Makes a new key of each algorithm and says when it begins to sign; running instances need no restart. */
export async function keysRotate(variables: NodeJS.ProcessEnv): Promise<void> {
  const { ports, store } = await openService(loadConfiguration({ variables }));
  try {
    for (const { algorithm, kid, signsFrom } of await rotateSigningKeys(ports)) {
      printResult(`${algorithm} ${kid} is published now and signs from ${formatInstant(signsFrom)}`);
    }
  } finally {
    await store.close();
  }
}
