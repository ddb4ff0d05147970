/** `proviso keys rotate`: new keys for ID tokens, with overlap (V10, S179). */
import { formatInstant } from '../../index.js';
import { rotateSigningKeys } from '../../service/index.js';
import { loadConfiguration } from '../configuration/load-configuration.js';
import { openService } from '../open-service.js';
import { printAnswer } from '../output.js';

/** Makes a new key of each algorithm and says when it begins to sign; running instances need no restart. */
export async function keysRotate(
  options: { readonly json?: boolean },
  variables: NodeJS.ProcessEnv,
): Promise<void> {
  const { ports, store } = await openService(loadConfiguration({ variables }));
  try {
    const keys = (await rotateSigningKeys(ports)).map(({ algorithm, kid, signsFrom }) => ({
      algorithm,
      kid,
      signs_from: formatInstant(signsFrom),
    }));
    const lines = keys.map(
      (key) => `${key.algorithm} ${key.kid} is published now and signs from ${key.signs_from}`,
    );
    printAnswer(options, { keys }, lines.join('\n'));
  } finally {
    await store.close();
  }
}
