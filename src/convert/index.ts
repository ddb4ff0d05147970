/** The package entry `proviso/convert`: policies of JSON-Logic, CASL and json-rules-engine as queries, and queries as JSON-Logic. */
export { fromCasl } from './casl.js';
export type {
  Conversion,
  ConversionOptions,
  ConversionProblem,
  ConversionProblemCode,
  MappedClaim,
} from './conversion.js';
export { fromJsonLogic, toJsonLogic } from './json-logic.js';
export { fromJsonRulesEngine } from './json-rules-engine.js';
