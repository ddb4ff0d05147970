/** Parses the trusted issuers of a deployment and their claim mappings from JSON. Reports all problems at once. */

import { FileError, JsonReader, type ShapeCode } from '../../engine/catalogue/json-reader.js';
import { type Problem, pointerTo } from '../../engine/problems.js';
import { omitUndefined } from '../../util/omit-undefined.js';
import type { ServiceCatalogue } from '../catalogue/service-catalogue.js';
import { isPublicJwk, PUBLIC_JWK_FORM } from '../keys/public-jwk.js';
import type { ClaimMapping, PublicJwk, TrustedIssuer } from '../ports/verifiers.js';

/** A problem of a list of issuers. */
export type IssuerProblem = Problem<ShapeCode | IssuerCode>;

type IssuerCode =
  | 'name_repeated'
  | 'key_malformed'
  | 'pointer_malformed'
  | 'claim_unknown'
  | 'claim_derived'
  | 'not_a_boolean';

/** Thrown for an invalid list of issuers; `problems` lists every problem. */
export class IssuersError extends FileError<IssuerProblem, 'invalid_issuers'> {
  override readonly name = 'IssuersError';

  constructor(problems: readonly IssuerProblem[]) {
    super('invalid_issuers', problems);
  }
}

/** RFC 6901, without the pointer to the whole document. */
const POINTER = /^(?:\/(?:[^~/]|~[01])*)+$/;

const MEMBERS = [
  'issuer',
  'source',
  'keys',
  'credentials',
  'holder_binding',
  'subject',
  'accept_missing_typ',
];
const HOLDER_BINDINGS = ['proof', 'external'] as const;
const SUBJECTS = ['required', 'optional'] as const;

/**
 * Parses `issuers`. Each has `issuer` (as named in credentials), `source` (as named in evidence), `keys` (public JWKs), and `credentials`, which
 * maps members to claims of the catalogue for each `type`. `holder_binding`, `subject` and `accept_missing_typ` override the defaults.
 *
 * @param json - Parsed JSON. Not modified.
 * @throws {IssuersError} With every problem and its JSON Pointer.
 */
export function parseIssuers(json: unknown, catalogue: ServiceCatalogue): readonly TrustedIssuer[] {
  const reader = new IssuersReader(catalogue);
  const issuers = reader.read(json);
  if (reader.reported.length > 0) throw new IssuersError(reader.reported);
  return issuers;
}

class IssuersReader extends JsonReader<IssuerCode> {
  readonly #catalogue: ServiceCatalogue;

  constructor(catalogue: ServiceCatalogue) {
    super();
    this.#catalogue = catalogue;
  }

  read(json: unknown): readonly TrustedIssuer[] {
    const file = this.object(json, '', ['issuers']);
    const seen = new Set<string>();
    return this.list(file, 'issuers', '').flatMap((value, index) => {
      const pointer = `/issuers/${index}`;
      const issuer = this.#issuer(value, pointer);
      if (issuer !== undefined && seen.has(issuer.issuer)) {
        this.add('name_repeated', `${pointer}/issuer`, `\`${issuer.issuer}\` must not be defined twice.`);
      }
      if (issuer !== undefined) seen.add(issuer.issuer);
      return issuer ?? [];
    });
  }

  #issuer(value: unknown, pointer: string): TrustedIssuer | undefined {
    const entry = this.object(value, pointer, MEMBERS);
    const issuer = this.string(entry, 'issuer', pointer);
    const source = this.string(entry, 'source', pointer);
    const keys = this.list(entry, 'keys', pointer).flatMap(
      (key, index) => this.#key(key, `${pointer}/keys/${index}`) ?? [],
    );
    if (entry !== undefined && keys.length === 0) {
      this.add('member_missing', pointer, '`keys` must have at least one public JWK.');
    }
    const mappings = this.list(entry, 'credentials', pointer).flatMap(
      (mapping, index) => this.#mapping(mapping, `${pointer}/credentials/${index}`) ?? [],
    );
    const holderBinding =
      entry?.['holder_binding'] === undefined
        ? undefined
        : this.oneOf(entry, 'holder_binding', pointer, HOLDER_BINDINGS);
    const subject =
      entry?.['subject'] === undefined ? undefined : this.oneOf(entry, 'subject', pointer, SUBJECTS);
    const acceptMissingTyp = this.#flag(entry, 'accept_missing_typ', pointer);
    if (issuer === undefined || source === undefined) return undefined;
    return {
      issuer,
      source,
      keys,
      mappings,
      ...omitUndefined({ holderBinding, subject, acceptMissingTyp }),
    };
  }

  #flag(entry: Readonly<Record<string, unknown>> | undefined, name: string, parent: string) {
    const value = entry?.[name];
    if (value === undefined || typeof value === 'boolean') return value;
    return this.add('not_a_boolean', pointerTo(parent, name), `\`${name}\` must be true or false.`);
  }

  #key(value: unknown, pointer: string): PublicJwk | undefined {
    if (isPublicJwk(value)) return value;
    return this.add('key_malformed', pointer, `A key must be ${PUBLIC_JWK_FORM}.`);
  }

  #mapping(value: unknown, pointer: string): ClaimMapping | undefined {
    const mapping = this.object(value, pointer, ['type', 'claims']);
    const type = this.string(mapping, 'type', pointer);
    if (mapping === undefined) return undefined;
    const { claims: members } = mapping;
    if (typeof members !== 'object' || members === null || Array.isArray(members)) {
      const message = '`claims` must be an object that maps JSON Pointers to claim paths.';
      return this.add('not_an_object', `${pointer}/claims`, message);
    }
    const claims = Object.entries(members).flatMap(([from, path]: [string, unknown]): [string, string][] => {
      const place = pointerTo(`${pointer}/claims`, from);
      const known = typeof path === 'string' ? this.#catalogue.findClaim(path) : undefined;
      if (!POINTER.test(from)) {
        this.add(
          'pointer_malformed',
          place,
          'A member must be named by a JSON Pointer such as `/given_name`.',
        );
      } else if (known === undefined) {
        this.add('claim_unknown', place, 'The member must be mapped to a claim of the catalogue.');
      } else if (known.derived !== undefined) {
        const message = `\`${known.path}\` is derived from \`${known.derived.parent}\` and must not be mapped.`;
        this.add('claim_derived', place, message);
      } else return [[from, known.path]];
      return [];
    });
    return type === undefined ? undefined : { type, claims: Object.fromEntries(claims) };
  }
}
