/** Values that stand for all of their kind. */
import type { JsonValue } from '../../engine/index.js';

/** Values of one kind. */
export interface Values {
  readonly values: readonly JsonValue[];
  readonly incomplete?: string;
}
