/** mingo: MongoDB's queries in memory. */
import { Query } from 'mingo';
import { createFlatObjectContender, versionOf } from './contender.js';
import { toMongo } from './mongo-query.js';

export const mingo = createFlatObjectContender(
  { name: 'mingo', version: versionOf('mingo') },
  toMongo,
  (criteria) => {
    const query = new Query(criteria);
    return (claims) => query.test(claims);
  },
);
