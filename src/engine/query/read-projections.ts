/** Reads projections and their lenses' parameters (L5). */
import { pointerTo } from '../json-pointer.js';
import { LENS_NAMES, type LensName, type Projection } from '../lenses/lens.js';
import { type Member, type ObjectForm, readMembers } from './members.js';
import { nearestSpelling } from './nearest-spelling.js';
import { alternatives, quote } from './problem-list.js';
import { readClaimPath } from './read-claim.js';
import type { Reading } from './reading.js';

type ProjectionMember = 'claim' | 'lens' | 'fields' | 'index';

const PROJECTION_FORM: ObjectForm<ProjectionMember> = {
  called: 'a projection',
  members: ['claim', 'lens', 'fields', 'index'],
};

/** The parameter that a lens takes; any other is a problem. */
const PARAMETER: Readonly<Record<LensName, 'fields' | 'index' | undefined>> = {
  pluck: undefined,
  pick: 'fields',
  at: 'index',
};

/** @returns `undefined` where it is no list of projections, which is a problem. */
export function readProjections(
  { value, pointer }: Member,
  reading: Reading,
): readonly Projection[] | undefined {
  const { limits, problems } = reading;
  if (!Array.isArray(value)) {
    problems.add('not_an_array', pointer, '`projections` is an array of one or more projections.');
    return undefined;
  }
  if (value.length === 0) problems.add('list_empty', pointer, '`projections` has one projection or more.');
  if (value.length > limits.projections) {
    const message = `A query has at most ${limits.projections} projections, not ${value.length}.`;
    problems.addLimit('limit_projections', pointer, limits.projections, message);
  }
  const projections: Projection[] = [];
  const claims = new Set<string>();
  for (const [index, item] of value.slice(0, limits.projections).entries()) {
    const projection = readProjection({ value: item, pointer: pointerTo(pointer, index) }, claims, reading);
    if (projection !== undefined) projections.push(projection);
  }
  return Object.freeze(projections);
}

function readProjection(member: Member, claims: Set<string>, reading: Reading): Projection | undefined {
  const { problems } = reading;
  const members = readMembers(member.value, member.pointer, PROJECTION_FORM, problems);
  if (members === undefined) return undefined;
  const [claimMember, lensMember] = [members.get('claim'), members.get('lens')];
  for (const name of ['claim', 'lens'] as const) {
    if (!members.has(name))
      problems.add('member_missing', member.pointer, `This projection also needs \`${name}\`.`);
  }
  const claim = claimMember && readDistinctClaim(claimMember, claims, reading);
  const lens = lensMember && readLens(lensMember, reading);
  if (lens === undefined) return undefined;
  for (const name of ['fields', 'index'] as const) {
    const parameter = members.get(name);
    if (parameter === undefined || PARAMETER[lens] === name) continue;
    problems.add('lens_parameter', parameter.pointer, `\`${lens}\` takes no \`${name}\`; leave it out.`);
  }
  const parameterName = PARAMETER[lens];
  const parameter = parameterName && members.get(parameterName);
  return toProjection(claim, lens, parameter, reading);
}

/** Notes the claim in `claims`; one that is there already is a problem, and is read all the same. */
function readDistinctClaim(member: Member, claims: Set<string>, reading: Reading): string | undefined {
  const claim = readClaimPath(member, reading);
  if (claim === undefined) return undefined;
  if (claims.has(claim)) {
    const message = `\`data\` is keyed by claim, so each stands once; this is the second projection of ${quote(claim)}.`;
    reading.problems.add('projection_repeated', member.pointer, message);
  }
  claims.add(claim);
  return claim;
}

function readLens({ value, pointer }: Member, reading: Reading): LensName | undefined {
  const lens = LENS_NAMES.find((name) => name === value);
  if (lens !== undefined) return lens;
  const nearest = typeof value === 'string' ? nearestSpelling(value, LENS_NAMES) : undefined;
  const expected = nearest === undefined ? alternatives(LENS_NAMES) : `\`${nearest}\``;
  const message =
    typeof value === 'string'
      ? `${quote(value)} is no lens; ${expected} would be.`
      : `\`lens\` is ${expected}.`;
  reading.problems.add('lens_unknown', pointer, message);
  return undefined;
}

function toProjection(
  claim: string | undefined,
  lens: LensName,
  parameter: Member | undefined,
  reading: Reading,
): Projection | undefined {
  switch (lens) {
    case 'pluck':
      return claim === undefined ? undefined : Object.freeze({ claim, lens });
    case 'pick': {
      const fields = parameter && readFields(parameter, reading);
      if (claim === undefined || (parameter !== undefined && fields === undefined)) return undefined;
      return Object.freeze(fields === undefined ? { claim, lens } : { claim, lens, fields });
    }
    case 'at': {
      const index = parameter === undefined ? 0 : readIndex(parameter, reading);
      return claim === undefined || index === undefined ? undefined : Object.freeze({ claim, lens, index });
    }
  }
}

function readIndex({ value, pointer }: Member, reading: Reading): number | undefined {
  // Adding 0 turns −0 into 0, so that the two are one query (L25).
  if (Number.isSafeInteger(value)) return (value as number) + 0;
  reading.problems.add(
    'lens_parameter',
    pointer,
    '`index` is a whole number; a negative one counts from the end.',
  );
  return undefined;
}

function readFields({ value, pointer }: Member, reading: Reading): readonly string[] | undefined {
  const { limits, problems } = reading;
  if (!Array.isArray(value) || value.length === 0) {
    problems.add('lens_parameter', pointer, '`fields` is an array of one or more distinct strings.');
    return undefined;
  }
  if (value.length > limits.listEntries) {
    const message = `\`fields\` has at most ${limits.listEntries} entries, not ${value.length}.`;
    problems.addLimit('limit_list_entries', pointer, limits.listEntries, message);
    return undefined;
  }
  const fields = new Set<string>();
  for (const [index, field] of value.entries()) readField(field, pointerTo(pointer, index), fields, reading);
  return fields.size === value.length ? Object.freeze([...fields]) : undefined;
}

function readField(field: unknown, pointer: string, fields: Set<string>, reading: Reading): void {
  const { limits, problems } = reading;
  if (typeof field !== 'string') {
    problems.add('lens_parameter', pointer, 'A field is a string: the name of a member.');
  } else if (field.length > limits.stringCodeUnits) {
    const message = `A field has at most ${limits.stringCodeUnits} code units, not ${field.length}.`;
    problems.addLimit('limit_string', pointer, limits.stringCodeUnits, message);
  } else if (fields.has(field)) {
    problems.add('lens_parameter', pointer, `\`fields\` are distinct; ${quote(field)} stands in it before.`);
  } else {
    fields.add(field);
  }
}
