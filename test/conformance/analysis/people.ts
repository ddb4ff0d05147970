/** The claims of a person as the checks of a query see them: a value or `undefined` for each path. */
import {
  type ClaimReference,
  ClaimSet,
  findClaim,
  type JsonValue,
  toClaimReference,
} from '../../../src/index.js';

/** Values by claim path; `undefined` if the claim is not defined. */
export type SeenClaims = ReadonlyMap<string, JsonValue | undefined>;

/** The values that checks on the paths see in a claim set. */
export function seenClaims(claims: ClaimSet, paths: readonly string[]): SeenClaims {
  return new Map(paths.map((path) => [path, findClaim(claims, toClaimReference(path))?.value]));
}

/** The values that checks see, except those of claims that are members of another of these claims, if that is defined, and change with it. */
export function independentClaims(claims: ClaimSet, paths: readonly string[]): SeenClaims {
  const isAttested = ({ path, slot }: Pick<ClaimReference, 'path' | 'slot'>): boolean =>
    findClaim(claims, { path, slot, parents: [] }) !== undefined;
  const isMember = (path: string): boolean => {
    const reference = toClaimReference(path);
    if (isAttested(reference)) return false;
    const parent = reference.parents.find((one) => paths.includes(one.path) || isAttested(one));
    return parent !== undefined && paths.includes(parent.path);
  };
  return new Map([...seenClaims(claims, paths)].filter(([path]) => !isMember(path)));
}

/** Creates a claim set on which checks see these values. Returns `undefined` if an undefined claim would be a member of another (L13). */
export function claimSetOf(seen: SeenClaims): ClaimSet | undefined {
  const defined = [...seen].filter(([, value]) => value !== undefined) as [string, JsonValue][];
  const claims = ClaimSet.at([{ id: '', source: '', issuedAt: 0, claims: Object.fromEntries(defined) }], 0);
  const matches = [...seen].every(
    ([path, value]) => value !== undefined || findClaim(claims, toClaimReference(path)) === undefined,
  );
  return matches ? claims : undefined;
}

/** The operands of a query, and values near them. */
export function valuesNear(query: JsonValue): readonly (JsonValue | undefined)[] {
  const operands: JsonValue[] = [];
  const walk = (value: JsonValue): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, member] of Object.entries(value)) {
      if (name === 'value') operands.push(member, ...(Array.isArray(member) ? (member as JsonValue[]) : []));
      walk(member as JsonValue);
    }
  };
  walk(query);
  const nearby = operands.flatMap((operand): JsonValue[] => {
    if (typeof operand === 'number') return [operand, operand + 1, operand - 1];
    return typeof operand === 'string' ? [operand, `${operand}x`] : [operand, [operand]];
  });
  return [undefined, null, true, false, 0, 'other', [], ...nearby];
}
