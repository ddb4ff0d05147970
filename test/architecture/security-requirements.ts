/** The numbered security requirements, the tests that cite them, and the reasons why some have no test. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CODE = '[LVSD]\\d+(?:[–-][LVSD]?\\d+)?';
const CITATION = new RegExp(`^\\s*// ${CODE}(?:, ${CODE})*$`, 'gm');

/** The requirements that tests must cite, by subject. */
export const SUBJECTS: readonly (readonly [first: number, last: number, subject: string])[] = [
  [1, 29, 'HTTP, for every endpoint'],
  [30, 44, 'bodies and parameters'],
  [45, 68, 'authorization request and consent page'],
  [69, 77, 'approve and deny'],
  [78, 96, 'token endpoint: authorization code'],
  [97, 107, 'token endpoint: refresh'],
  [108, 120, 'revocation and introspection'],
  [121, 133, 'clients and `client/user-token`'],
  [134, 148, 'bearer endpoints'],
  [149, 176, 'queries'],
  [177, 182, 'ID tokens, keys, discovery'],
  [183, 204, 'stores, limits, logs, operations'],
  [240, 244, 'standard scopes and the claims parameter of OpenID Connect'],
  [250, 255, 'sign-out requested by an application'],
  [257, 258, 'sign-out requested by an application: confirmation'],
  [260, 269, 'pushed authorization requests'],
  [270, 284, 'tokens bound to a key (DPoP)'],
  [287, 298, 'conditions'],
  [320, 328, 'sign-in at OpenID Connect providers'],
  [329, 333, 'personal data'],
  [340, 345, 'levels of evidence'],
  [346, 353, 'inference bounds'],
  [360, 367, 'ledger'],
  [368, 368, 'consent to conditions with the keyboard'],
  [380, 387, 'languages of the pages, and what the consent page shows'],
  [388, 389, 'metrics and files for deployment'],
  [390, 396, 'upgrades and `proviso doctor`'],
  [400, 409, 'runbooks; logs, files and exports of personal data'],
  [410, 419, 'review of sign-in, erasure, inference bounds, ledger and migrations'],
  [420, 425, 'misuse of the library'],
  [427, 435, 'wrong arguments of the library'],
  [437, 438, 'policy sets'],
  [445, 447, 'large stores'],
  [448, 449, 'encryption at rest, and the audit log'],
  [450, 454, 'records of erased people, exports, people who exist, addresses of sign-in providers'],
  [457, 460, 'catalogues in bulk, layouts and fields of SQL'],
  [461, 464, 'types of projected data, values and names in messages'],
  [480, 485, 'YAML of policy tests, types of compiled queries, arguments without effect'],
  [490, 490, 'opening of large stores'],
];

/** Why no test cites a requirement. `citations.test.ts` checks that requirements with a test are not listed. */
export const NOT_CITED: Readonly<Record<number, string>> = {
  158: 'the check with 200,000 patterns needs a separate script, which does not exist yet',
  171: 'the suite is not run under other flags of Node yet',
};

/** Counts the citations of each requirement, including those within ranges, in comments above tests or above rows of their tables. */
export function citedRequirements(): ReadonlyMap<number, number> {
  const cited = new Map<number, number>();
  for (const comment of citations()) {
    for (const [, first, last = first] of comment.matchAll(/\bS(\d+)(?:[–-]S?(\d+))?\b/g))
      for (let number = Number(first); number <= Number(last); number += 1)
        cited.set(number, (cited.get(number) ?? 0) + 1);
  }
  return cited;
}

/** The comments that consist only of codes, such as `// S30, L8`. */
function citations(): readonly string[] {
  const root = fileURLToPath(new URL('..', import.meta.url));
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(test|contract)\.ts$/.test(path))
    .flatMap((path) => readFileSync(join(root, path), 'utf8').match(CITATION) ?? []);
}
