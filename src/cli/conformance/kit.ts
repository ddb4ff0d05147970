/** The parts of `proviso/testing` that the command needs. The build bundles it with fast-check, so that the command needs no other package. */
export {
  type ConformanceOptions,
  type ConformanceReport,
  checkConformance,
  type Implementation,
} from '../../testing/check-conformance.js';
export { ImplementationError, type Outcome } from '../../testing/vector.js';
export { writeJson } from '../../testing/write-json.js';
