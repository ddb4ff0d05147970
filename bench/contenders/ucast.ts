/** @ucast/mongo2js: conditions parsed from MongoDB's queries and interpreted. */
import { guard } from '@ucast/mongo2js';
import { createFlatObjectContender, versionOf } from './contender.js';
import { toMongo } from './mongo-query.js';

export const ucast = createFlatObjectContender(
  { name: '@ucast/mongo2js', version: versionOf('@ucast/mongo2js') },
  toMongo,
  (query) => {
    const passes = guard(query);
    return (claims) => passes(claims);
  },
);
