/** Errors of policy sets. */
import { ProvisoError } from '../util/proviso-error.js';

export type PolicySetErrorCode = 'policy_exists' | 'query_too_large' | 'invalid_bytes';

/**
 * Thrown for errors of a set that are not problems of one query: duplicate ids, invalid bytes, a policy beyond a limit of the set. Compare
 * `code`, not the message.
 */
export class PolicySetError extends ProvisoError<PolicySetErrorCode> {
  override readonly name = 'PolicySetError';
  /** The id of the policy at fault; `undefined` where the fault is not one policy's. */
  readonly policy: string | undefined;

  constructor(code: PolicySetErrorCode, message: string, policy?: string, options?: ErrorOptions) {
    super(code, message, options);
    this.policy = policy;
  }
}

/** Returns the error for bytes that are not a policy set. */
export function invalidBytes(fault: string): PolicySetError {
  return new PolicySetError('invalid_bytes', `these bytes are not a policy set: ${fault}`);
}
