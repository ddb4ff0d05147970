/** sift: MongoDB's queries as filters. */
import siftModule from 'sift';
import { createFlatObjectContender, versionOf } from './contender.js';
import { toMongo } from './mongo-query.js';

// A CommonJS package whose types declare an ES module.
const compile = siftModule as unknown as typeof siftModule.default;

export const sift = createFlatObjectContender(
  { name: 'sift', version: versionOf('sift') },
  toMongo,
  (query) => {
    const passes = compile(query);
    return (claims) => passes(claims);
  },
);
