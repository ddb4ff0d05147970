/** json-logic-js: JsonLogic, interpreted. */
import jsonLogic from 'json-logic-js';
import { createFlatObjectContender, versionOf } from './contender.js';
import { matchRegex, startsWith, toJsonLogic } from './json-logic.js';

jsonLogic.add_operation('startsWith', startsWith);
jsonLogic.add_operation('matchRegex', matchRegex);

const interpreted = createFlatObjectContender(
  { name: 'json-logic-js', version: versionOf('json-logic-js') },
  toJsonLogic,
  (logic) => (claims) => jsonLogic.apply(logic as never, claims) === true,
);

// Without `prepareCompilation`: the interpreter does not compile.
export const jsonLogicJs = (({ prepareCompilation: _, ...rest }) => rest)(interpreted);
