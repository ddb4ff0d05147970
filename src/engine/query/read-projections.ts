/** Reads projections and the parameters of their lenses (L5). */

import { LENS_NAMES, type LensName, type Projection } from '../lenses.js';
import { quote } from '../names.js';
import { pointerTo } from '../problems.js';
import {
  type Member,
  type Members,
  type NameList,
  type ObjectForm,
  readClaimPath,
  readList,
  readMembers,
  readName,
  requireMember,
} from './members.js';
import type { ParseContext } from './parse-context.js';

type ProjectionMember = 'claim' | 'lens' | 'fields' | 'index';

const PROJECTION_FORM: ObjectForm<ProjectionMember> = {
  label: 'A projection',
  members: ['claim', 'lens', 'fields', 'index'],
};

const LENS_NAME_LIST: NameList<LensName> = { label: 'lens', names: LENS_NAMES, unknownCode: 'lens_unknown' };

/** The parameter of each lens; another parameter is reported. */
const PARAMETER: Readonly<Record<LensName, 'fields' | 'index' | undefined>> = {
  pluck: undefined,
  pick: 'fields',
  at: 'index',
};

/** Reads a list of projections; `undefined` where it is invalid, which is reported. */
export function readProjections(list: Member, context: ParseContext): readonly Projection[] | undefined {
  const { value, pointer } = list;
  const owner = 'A query must have';
  if (
    Array.isArray(value) &&
    context.exceeds('projections', value.length, 'limit_projections', pointer, owner, 'projections')
  ) {
    return undefined;
  }
  const claims = new Set<string>();
  return readList(list, 'projections', 'projection', context, (entry) =>
    readProjection(entry, claims, context),
  );
}

function readProjection(member: Member, claims: Set<string>, context: ParseContext): Projection | undefined {
  const { pointer } = member;
  const members = readMembers(member.value, pointer, PROJECTION_FORM, context);
  if (members === undefined) return undefined;
  const claimMember = requireMember(members, 'claim', PROJECTION_FORM, pointer, context);
  const claim = claimMember && readDistinctClaim(claimMember, claims, context);
  const lensMember = requireMember(members, 'lens', PROJECTION_FORM, pointer, context);
  const lens = lensMember && readName(lensMember, LENS_NAME_LIST, context);
  const fieldsMember = readParameter('fields', lens, members, context);
  const fields = fieldsMember && readFields(fieldsMember, context);
  const indexMember = readParameter('index', lens, members, context);
  const index = indexMember ? readIndex(indexMember, context) : 0;
  if (claim === undefined || lens === undefined) return undefined;
  switch (lens) {
    case 'pluck':
      return Object.freeze({ claim, lens });
    case 'pick':
      return Object.freeze(fields === undefined ? { claim, lens } : { claim, lens, fields });
    case 'at':
      return Object.freeze({ claim, lens, index });
  }
}

/** Returns a parameter; `undefined` where it is absent, or where the lens does not have it, which is reported. */
function readParameter(
  name: 'fields' | 'index',
  lens: LensName | undefined,
  members: Members<ProjectionMember>,
  { problems }: ParseContext,
): Member | undefined {
  const parameter = members.get(name);
  if (parameter === undefined || lens === undefined || PARAMETER[lens] === name) return parameter;
  const message = `The lens \`${lens}\` must not have \`${name}\`; remove it.`;
  return problems.add('lens_parameter', parameter.pointer, message);
}

/** Reads a claim and adds it to `claims`. A duplicate is reported. */
function readDistinctClaim(member: Member, claims: Set<string>, context: ParseContext): string | undefined {
  const claim = readClaimPath(member, context);
  if (claim === undefined) return undefined;
  if (claims.has(claim)) {
    const message = `Duplicate projection of ${quote(claim)}.`;
    context.problems.add('projection_repeated', member.pointer, message);
  }
  claims.add(claim);
  return claim;
}

// A problem rejects the whole query, so the values that these functions return after a problem are never used.

function readIndex({ value, pointer }: Member, { problems }: ParseContext): number {
  // Adding 0 turns −0 into 0, so that both give the same query (L25).
  if (Number.isSafeInteger(value)) return (value as number) + 0;
  problems.add(
    'lens_parameter',
    pointer,
    '`index` must be a whole number; a negative one counts from the end.',
  );
  return 0;
}

function readFields({ value, pointer }: Member, context: ParseContext): readonly string[] {
  const { problems } = context;
  const fields = new Set<string>();
  if (!Array.isArray(value) || value.length === 0) {
    problems.add('lens_parameter', pointer, '`fields` must be an array of one or more distinct strings.');
  } else if (
    !context.exceeds(
      'listEntries',
      value.length,
      'limit_list_entries',
      pointer,
      '`fields` must have',
      'entries',
    )
  ) {
    for (const [index, field] of value.entries())
      readField(field, pointerTo(pointer, index), fields, context);
  }
  return Object.freeze([...fields]);
}

function readField(field: unknown, pointer: string, fields: Set<string>, context: ParseContext): void {
  const { problems } = context;
  if (typeof field !== 'string') {
    problems.add('lens_parameter', pointer, 'An entry of `fields` must be a string.');
  } else if (
    !context.exceeds(
      'stringCodeUnits',
      field.length,
      'limit_string',
      pointer,
      'An entry of `fields` must have',
      'code units',
    )
  ) {
    if (fields.has(field)) {
      const message = `Duplicate entry ${quote(field)} of \`fields\`.`;
      problems.add('lens_parameter', pointer, message);
    }
    fields.add(field);
  }
}
