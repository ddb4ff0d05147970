/** Reads projections and their lenses' parameters (L5). */

import { LENS_NAMES, type LensName, type Projection } from '../lenses.js';
import { pointerTo } from '../problems.js';
import {
  type Member,
  type Naming,
  type ObjectForm,
  readClaimPath,
  readList,
  readMembers,
  readName,
  requireMember,
} from './members.js';
import { quote } from './problem-list.js';
import type { Reading } from './reading.js';

type ProjectionMember = 'claim' | 'lens' | 'fields' | 'index';

const PROJECTION_FORM: ObjectForm<ProjectionMember> = {
  called: 'A projection',
  members: ['claim', 'lens', 'fields', 'index'],
};

const LENS_NAMING: Naming<LensName> = { called: 'lens', names: LENS_NAMES, unknown: 'lens_unknown' };

/** The parameter that a lens takes; any other is a problem. */
const PARAMETER: Readonly<Record<LensName, 'fields' | 'index' | undefined>> = {
  pluck: undefined,
  pick: 'fields',
  at: 'index',
};

/** @returns `undefined` where it is no list of projections, which is a problem. */
export function readProjections(list: Member, reading: Reading): readonly Projection[] | undefined {
  const { value, pointer } = list;
  const entries = Array.isArray(value) ? value.slice(0, reading.limits.projections) : value;
  if (Array.isArray(value)) {
    reading.exceeds('projections', value.length, 'limit_projections', pointer, 'A query has', 'projections');
  }
  const claims = new Set<string>();
  return readList({ value: entries, pointer }, 'projections', 'projection', reading, (entry) =>
    readProjection(entry, claims, reading),
  );
}

function readProjection(member: Member, claims: Set<string>, reading: Reading): Projection | undefined {
  const { problems } = reading;
  const { pointer } = member;
  const members = readMembers(member.value, pointer, PROJECTION_FORM, reading);
  if (members === undefined) return undefined;
  const claimMember = requireMember(members, 'claim', PROJECTION_FORM, pointer, reading);
  const lensMember = requireMember(members, 'lens', PROJECTION_FORM, pointer, reading);
  const claim = claimMember && readDistinctClaim(claimMember, claims, reading);
  const lens = lensMember && readName(lensMember, LENS_NAMING, reading);
  if (lens === undefined) return undefined;
  for (const name of ['fields', 'index'] as const) {
    const parameter = members.get(name);
    if (parameter === undefined || PARAMETER[lens] === name) continue;
    problems.add('lens_parameter', parameter.pointer, `\`${lens}\` takes no \`${name}\`; leave it out.`);
  }
  // Parameters are read without a claim as well: all that is wrong is told at once (L8).
  const [fieldsMember, indexMember] = [members.get('fields'), members.get('index')];
  const fields = lens === 'pick' && fieldsMember ? { fields: readFields(fieldsMember, reading) } : {};
  const index = lens === 'at' && indexMember ? readIndex(indexMember, reading) : 0;
  if (claim === undefined) return undefined;
  switch (lens) {
    case 'pluck':
      return Object.freeze({ claim, lens });
    case 'pick':
      return Object.freeze({ claim, lens, ...fields });
    case 'at':
      return Object.freeze({ claim, lens, index });
  }
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

// A problem refuses the whole query: what these return in its stead is not looked at.

function readIndex({ value, pointer }: Member, { problems }: Reading): number {
  // Adding 0 turns −0 into 0, so that the two are one query (L25).
  if (Number.isSafeInteger(value)) return (value as number) + 0;
  problems.add('lens_parameter', pointer, '`index` is a whole number; a negative one counts from the end.');
  return 0;
}

function readFields({ value, pointer }: Member, reading: Reading): readonly string[] {
  const { problems } = reading;
  const fields = new Set<string>();
  if (!Array.isArray(value) || value.length === 0) {
    problems.add('lens_parameter', pointer, '`fields` is an array of one or more distinct strings.');
  } else if (
    !reading.exceeds('listEntries', value.length, 'limit_list_entries', pointer, '`fields` has', 'entries')
  ) {
    for (const [index, field] of value.entries())
      readField(field, pointerTo(pointer, index), fields, reading);
  }
  return Object.freeze([...fields]);
}

function readField(field: unknown, pointer: string, fields: Set<string>, reading: Reading): void {
  const { problems } = reading;
  if (typeof field !== 'string') {
    problems.add('lens_parameter', pointer, 'A field is a string: the name of a member.');
  } else if (
    !reading.exceeds('stringCodeUnits', field.length, 'limit_string', pointer, 'A field has', 'code units')
  ) {
    if (fields.has(field)) {
      const message = `\`fields\` are distinct; ${quote(field)} stands in it before.`;
      problems.add('lens_parameter', pointer, message);
    }
    fields.add(field);
  }
}
