/** Reads a claim path (L9), within its limits (L7). */
import { isClaimPath } from '../claims/claim-path.js';
import type { Member } from './members.js';
import { quote } from './problem-list.js';
import type { Reading } from './reading.js';

const EXPECTED =
  'a claim path is two or more names joined by dots, each a letter and then letters, digits or `_`';

/** @returns `undefined` where the member is no claim path, which is a problem. */
export function readClaimPath(member: Member, reading: Reading): string | undefined {
  const { value: path, pointer } = member;
  const { problems } = reading;
  if (typeof path !== 'string') {
    return problems.add('not_a_string', pointer, `\`claim\` is a string: ${EXPECTED}.`);
  }
  const owner = 'A claim path has';
  if (reading.exceeds('pathCodeUnits', path.length, 'limit_path_length', pointer, owner, 'code units')) {
    return undefined;
  }
  if (!isClaimPath(path)) return problems.add('claim_path_malformed', pointer, malformed(path));
  const segments = countSegments(path);
  if (reading.exceeds('pathSegments', segments, 'limit_path_segments', pointer, owner, 'segments')) {
    return undefined;
  }
  return path;
}

/** Without taking the path apart: every check of every query comes by here. */
function countSegments(path: string): number {
  let count = 1;
  for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) count += 1;
  return count;
}

function malformed(path: string): string {
  const mended = path
    .split('.')
    .map((segment) => segment.trim())
    .filter((segment) => segment !== '')
    .join('.');
  const hint = mended !== path && isClaimPath(mended) ? `\`${mended}\` would be one` : EXPECTED;
  return `${quote(path)} is no claim path; ${hint}.`;
}
