/** The package entry `proviso/policy-set`: which of many policies a person passes. */
export { RowSet } from '../engine/bulk/row-set.js';
export { PolicySetError, type PolicySetErrorCode } from './errors.js';
export {
  createPolicySet,
  type PolicyChanges,
  type PolicySet,
  type PolicySetOptions,
  type PolicySetStatistics,
  policySetFromBytes,
} from './policy-set.js';
