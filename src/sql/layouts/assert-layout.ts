/** Validation of layouts, by the members of each kind. */
import { assertName } from '../../engine/names.js';
import { assertArray, assertObject, toStrings, wrongType } from '../../engine/value-types.js';
import { assertMembers } from '../members.js';
import { COLUMN_TYPES, type SqlLayout } from './layout.js';

/** The form of a member's value: the name of a table or column, optional claim paths, columns by claim path, or the members of an object. */
type MemberForm = 'name' | 'paths' | 'columns' | { readonly [member: string]: MemberForm };

const PEOPLE = { table: 'name', id: 'name' } as const;

const LAYOUT_MEMBERS: Readonly<Record<SqlLayout['kind'], Readonly<Record<string, MemberForm>>>> = {
  credentials: {
    people: PEOPLE,
    credentials: {
      table: 'name',
      person: 'name',
      id: 'name',
      issuedAt: 'name',
      expiresAt: 'name',
      revokedAt: 'name',
      claims: 'name',
    },
  },
  documents: { people: PEOPLE, claims: 'name', indexed: 'paths' },
  claims: { people: PEOPLE, claims: { table: 'name', person: 'name', path: 'name', value: 'name' } },
  columns: { people: PEOPLE, columns: 'columns', undefinedClaims: 'paths' },
};

/**
 * @throws {TypeError} When a layout has no valid kind, lacks a member, or has an unknown one, or a column has no valid
 *   type. Names are validated when they are quoted.
 */
export function assertLayout(layout: unknown): asserts layout is SqlLayout {
  assertObject('`layout`', layout);
  const { kind } = layout;
  assertName('`kind` of the layout', Object.keys(LAYOUT_MEMBERS), kind);
  const members = LAYOUT_MEMBERS[kind as SqlLayout['kind']];
  assertMembers('the layout', layout, ['kind', ...Object.keys(members)]);
  for (const [name, form] of Object.entries(members))
    assertForm(`\`${name}\` of the layout`, layout[name], form);
}

function assertForm(argument: string, value: unknown, form: MemberForm): void {
  switch (form) {
    case 'name':
      if (typeof value !== 'string') throw wrongType(argument, 'a name', value);
      return;
    case 'paths':
      if (value === undefined) return;
      assertArray(argument, value);
      toStrings(argument, value);
      return;
    case 'columns':
      assertColumns(argument, value);
      return;
    default:
      assertMembers(argument, value, Object.keys(form));
      for (const [name, member] of Object.entries(form))
        assertForm(`\`${name}\` of ${argument}`, value[name], member);
  }
}

function assertColumns(argument: string, columns: unknown): void {
  assertObject(argument, columns);
  for (const [path, described] of Object.entries(columns)) {
    const owner = `the column of \`${path}\``;
    assertMembers(owner, described, ['column', 'type']);
    const { column, type } = described;
    assertForm(`\`column\` of ${owner}`, column, 'name');
    assertName(`\`type\` of ${owner}`, COLUMN_TYPES, type);
  }
}
