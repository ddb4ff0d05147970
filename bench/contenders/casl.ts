/** @casl/ability: one rule whose conditions are the query. */
import { buildMongoQueryMatcher, createMongoAbility } from '@casl/ability';
import { $and, $nor, $or, and, nor, or } from '@ucast/mongo2js';
import { createFlatObjectContender, versionOf } from './contender.js';
import { toMongo } from './mongo-query.js';

// The default matcher has no `$and`, `$or` and `$nor`; CASL's guide adds them in this way.
const conditionsMatcher = buildMongoQueryMatcher({ $and, $or, $nor } as never, { and, or, nor } as never);

export const casl = createFlatObjectContender(
  { name: '@casl/ability', version: versionOf('@casl/ability') },
  toMongo,
  (conditions) => {
    const rules = [{ action: 'pass', subject: 'Person', conditions }];
    const ability = createMongoAbility(rules as never, {
      conditionsMatcher,
      detectSubjectType: () => 'Person',
    });
    return (claims) => ability.can('pass', claims as never);
  },
);
